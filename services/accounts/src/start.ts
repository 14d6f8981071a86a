import { consumers, type Consumer } from '@frontdesk/contracts'
import { hasMigration, newestMigration } from '@frontdesk/database'
import {
  createEventMetrics,
  deleteOldInboxRows,
  openBus,
  runConsumer,
  startRelay,
  type ConsumerOptions,
} from '@frontdesk/events'
import { configuredProviders, openProviders } from '@frontdesk/providers'
import { repeat } from '@frontdesk/service/background'
import { openInternalClient } from '@frontdesk/service/calls'
import { readKeyRing } from '@frontdesk/service/encryption'
import { createMetrics, listen } from '@frontdesk/service/http'
import { deleteExpiredKeys } from '@frontdesk/service/idempotency'
import { readConfig, type Running, type Start } from '@frontdesk/service/process'
import { openTokenIssuer, openTokenVerifier } from '@frontdesk/service/tokens'
import { runDueChecks, runDueDeletions } from './accounts/background.ts'
import { applySiteEvent } from './accounts/consumers.ts'
import type { RouteDeps } from './accounts/routes.ts'
import { createApp } from './app.ts'
import { Config } from './config.ts'
import { openDatabase } from './db.ts'
import { applyProviderEvent } from './provider-events/consumers.ts'
import { deleteOldProviderEvents } from './provider-events/store.ts'

const service = 'accounts'

/** Starts accounts: HTTP, relay, consumers and background work in one process. Disposing stops everything in reverse order. */
export async function start({ env, log, signal }: Start): Promise<Running> {
  const config = readConfig(Config, env)
  const metrics = createMetrics()
  const eventMetrics = createEventMetrics(metrics)
  await using opened = new AsyncDisposableStack()

  const { pool, prisma } = opened.use(
    openDatabase({ url: config.ACCOUNTS_DATABASE_URL, size: config.DATABASE_POOL_SIZE, log }),
  )
  const bus = opened.use(openBus({ url: config.NATS_URL, name: service, log }))
  const internal = opened.use(
    openInternalClient(await openTokenIssuer(service, config.INTERNAL_KEY_FILE), { payments: config.PAYMENTS_URL }),
  )
  const providers = opened.use(openProviders(configuredProviders(config), { log, registry: metrics }))

  const background = new AbortController()
  const running: Promise<unknown>[] = []
  opened.defer(async () => {
    background.abort()
    await Promise.all(running)
  })
  const relay = startRelay({
    service,
    databaseUrl: config.ACCOUNTS_DATABASE_URL,
    bus,
    log,
    metrics: eventMetrics,
    signal: background.signal,
  })
  running.push(relay.stopped)

  const origin = { service, publicUrl: config.PUBLIC_URL }
  const ring = readKeyRing(config.ENCRYPTION_KEYS_FILE)
  const deps: RouteDeps = { pool, prisma, origin, providers, relay, ring, internal, publicUrl: config.PUBLIC_URL }

  const consume = (consumer: Consumer, handle: ConsumerOptions['handle']) =>
    running.push(runConsumer({ consumer, service, bus, log, metrics: eventMetrics, signal: background.signal, handle }))
  consume(consumers.accountsSites, (message) => applySiteEvent(deps, message.data))
  consume(consumers.accountsProviderEvents, (message) =>
    applyProviderEvent(deps, message.data, message.info.deliveryCount),
  )

  const every = (everyMs: number, failure: string, work: () => Promise<boolean | void>) =>
    running.push(
      repeat({ everyMs, signal: background.signal, onError: (error) => log.error({ err: error }, failure) }, work)
        .stopped,
    )
  every(2_000, 'due checks of accounts failed', () => runDueChecks(deps, log))
  every(5_000, 'due deletions at providers failed', () => runDueDeletions(deps, log))
  every(600_000, 'old rows could not be deleted', async () => {
    await deleteExpiredKeys(pool)
    await deleteOldInboxRows(pool)
    await deleteOldProviderEvents(pool)
  })

  const migration = newestMigration(new URL('../prisma/migrations', import.meta.url))
  const ready = async () => {
    if (signal.aborted) throw new Error('stopping')
    if (!(await hasMigration(pool, migration))) throw new Error(`migration ${migration} is missing`)
    return { nats: bus.isConnected() ? 'connected' : 'disconnected' }
  }
  const verify = openTokenVerifier(service, config.INTERNAL_JWKS_FILE)
  const app = createApp({ name: service, log, ready, metrics }, deps, verify)
  opened.defer(() => app.close())
  const url = await listen(app, { host: config.HOST, port: config.PORT })

  const owned = opened.move()
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
