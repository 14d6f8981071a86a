import type { Scenario } from '../scenario.ts'
import { natsDiskFull, postgresDiskFull } from './disk.ts'
import { consumerDeleted, natsKill, natsOutage, storeRolledBack, streamDeleted, streamFull } from './nats.ts'
import { overload } from './overload.ts'
import { lateMigration, poolExhausted, postgresRestart, readOnly, vanishedNode } from './postgres.ts'
import { kill, paused, rolling } from './processes.ts'
import { providerWebhooks } from './provider.ts'
import { badReceivers } from './receivers.ts'
import { restored } from './restore.ts'
import { newerProducer } from './versions.ts'

/** Every scenario, in the order in which `all` plays them: those that share a system first. */
export const scenarios: readonly Scenario[] = [
  kill,
  paused,
  natsKill,
  natsOutage,
  consumerDeleted,
  streamFull,
  storeRolledBack,
  streamDeleted,
  postgresRestart,
  readOnly,
  vanishedNode,
  poolExhausted,
  providerWebhooks,
  newerProducer,
  restored,
  badReceivers,
  rolling,
  lateMigration,
  overload,
  natsDiskFull,
  postgresDiskFull,
]
