import { databaseUrls, type Pool } from '@frontdesk/database'
import { openBus, type Bus, type Relay } from '@frontdesk/events'
import { configuredProviders, openProviders } from '@frontdesk/providers'
import type { ServiceClock } from '@frontdesk/service/background'
import { openInternalClient } from '@frontdesk/service/calls'
import { openKeyRing } from '@frontdesk/service/encryption'
import { watchPools } from '@frontdesk/service/metrics'
import { openInternalTls, type InternalTls } from '@frontdesk/service/tls'
import { openMountedIssuer } from '@frontdesk/service/tokens'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import { openDatabase } from './db.ts'
import type { PaymentDeps } from './payment/deps.ts'
import { createPaymentMetrics } from './payment/metrics.ts'
import { createQuestions } from './payment/questions.ts'
import { parseCheckSchedule } from './payment/schedule.ts'

const service = 'payments'

/** The parts that the running service and an operator's commands both use. */
export interface Resources extends AsyncDisposable {
  pool: Pool
  bus: Bus
  /** The certificates for calls between services, if it has any. */
  tls: InternalTls | undefined
  /** Returns the dependencies of operations; `relay` is woken after each commit with events, `now` tells their time. */
  depsWith(relay: Pick<Relay, 'wake'>, now: ServiceClock['now']): PaymentDeps
}

/** Opens database, bus, providers and peers. None of them connects before it is used. */
export async function openResources(
  config: Config,
  { log, registry }: { log: Logger; registry: Registry },
): Promise<Resources> {
  await using opened = new AsyncDisposableStack()
  const tls = opened.use(await openInternalTls(config, log))
  const { pool, prisma, listPool } = opened.use(
    openDatabase({ url: databaseUrls('PAYMENTS', config).url, size: config.DATABASE_POOL_SIZE, log }),
  )
  watchPools(registry, { requests: pool, lists: listPool })
  const bus = opened.use(openBus({ settings: config, name: service, log }))
  const internal = opened.use(
    openInternalClient(
      opened.use(await openMountedIssuer(service, config, log)),
      { accounts: config.ACCOUNTS_URL },
      { tls },
    ),
  )
  const shared = {
    pool,
    prisma,
    listPool,
    origin: { service, publicUrl: config.PUBLIC_URL },
    ring: opened.use(await openKeyRing(config.ENCRYPTION_KEYS_FILE, log)),
    providers: opened.use(
      openProviders(configuredProviders(config), { log, registry, share: config.PROVIDER_CALLS_PERCENT / 100 }),
    ),
    questions: createQuestions(),
    internal,
    metrics: createPaymentMetrics(log, registry),
    schedule: parseCheckSchedule(config.PAYMENTS_CHECK_SCHEDULE),
  }
  const owned = opened.move()
  return {
    pool,
    bus,
    tls,
    depsWith: (relay, now) => ({ ...shared, relay, now }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
