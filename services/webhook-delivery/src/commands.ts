import { databaseUrls } from '@frontdesk/database'
import { besideHeader, openBus, type Bus, type EventOrigin, type StoredDeadLetter } from '@frontdesk/events'
import {
  auditCommands,
  consumerCommands,
  deadLetterCommands,
  encryptionCommands,
  letterHandlers,
  outboxCommands,
  type LetterHandlers,
  type Program,
} from '@frontdesk/operate'
import { readKeyRing, type KeyRing } from '@frontdesk/service/encryption'
import { encryptedReply } from '@frontdesk/service/idempotency'
import { readConfig } from '@frontdesk/service/process'
import { Config } from './config.ts'
import { openDatabase } from './db.ts'
import { deliveryConsumers, readIncoming } from './intake/incoming.ts'
import { takeIn, type TakeInDeps } from './intake/take-in.ts'
import { createPartitions } from './partitions/partitions.ts'
import { reconcileCommand } from './reconciliation/command.ts'
import { reconcileStreamsCommand } from './reconciliation/streams-command.ts'
import { siteConsumer } from './subscriptions/consumers.ts'
import { encryptedSettings } from './subscriptions/secrets.ts'

const service = 'webhook-delivery'

type Deps = TakeInDeps & AsyncDisposable & { bus: Bus; ring: KeyRing; origin: EventOrigin }

/** An operator's commands for webhook-delivery. */
export const program: Program<Deps> = {
  service,
  commands: [
    ...auditCommands(),
    ...outboxCommands(),
    ...deadLetterCommands(handlers),
    ...consumerCommands(service),
    reconcileCommand,
    reconcileStreamsCommand,
    ...encryptionCommands([...encryptedSettings, encryptedReply]),
  ],
  async open(env, log) {
    const config = readConfig(Config, env)
    const { url, directUrl } = databaseUrls('WEBHOOK_DELIVERY', config)
    await using opened = new AsyncDisposableStack()
    const db = opened.use(openDatabase({ url, size: 2, engineSize: 2, log }))
    const bus = opened.use(openBus({ settings: config, name: service, log }))
    const ring = readKeyRing(config.ENCRYPTION_KEYS_FILE)
    const partitions = createPartitions({
      pool: db.pool,
      url: directUrl,
      retentionDays: config.DELIVERY_RETENTION_DAYS,
      log,
    })
    const owned = opened.move()
    const origin = { service, publicUrl: config.PUBLIC_URL }
    return { pool: db.pool, bus, ring, partitions, origin, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  },
}

function handlers(deps: Pick<Deps, keyof TakeInDeps | 'origin'>): LetterHandlers {
  const takeInLetter = async (letter: StoredDeadLetter): Promise<void> => {
    const event = readIncoming(
      { ...letter, isBeside: besideHeader in letter.headers, storedAt: letter.storedAt.getTime() },
      Date.now(),
    )
    await takeIn(deps, [event])
  }
  // The running replicas publish the outbox, and learn of a paused subscription when they renew their leases.
  const sites = siteConsumer({ ...deps, wake: () => {}, onChange: () => {} })
  return {
    ...letterHandlers([sites]),
    ...Object.fromEntries(deliveryConsumers.map(({ name }) => [name, takeInLetter])),
  }
}
