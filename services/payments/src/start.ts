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
import { applyAccountEvent } from './accounts/consumers.ts'
import { createApp } from './app.ts'
import { runDueChecks } from './checks/background.ts'
import { Config } from './config.ts'
import { openDatabase } from './db.ts'
import type { PaymentDeps } from './payment/deps.ts'
import { createPaymentMetrics } from './payment/metrics.ts'
import { parseCheckSchedule } from './payment/schedule.ts'
import { findOldestPayments } from './payment/store.ts'
import { createProviderEvents } from './provider-events/consumers.ts'
import { deleteOldProviderEvents } from './provider-events/store.ts'
import { applySiteEvent } from './sites/consumers.ts'

const service = 'payments'

/** Starts the service. Disposing the result stops its parts in reverse order. */
export async function start({ env, log, signal }: Start): Promise<Running> {
  const config = readConfig(Config, env)
  const registry = createMetrics()
  const metrics = createEventMetrics(registry)
  await using opened = new AsyncDisposableStack()

  const { pool, prisma } = opened.use(
    openDatabase({ url: config.PAYMENTS_DATABASE_URL, size: config.DATABASE_POOL_SIZE, log }),
  )
  const bus = opened.use(openBus({ url: config.NATS_URL, name: service, log }))
  const internal = opened.use(
    openInternalClient(await openTokenIssuer(service, config.INTERNAL_KEY_FILE), { accounts: config.ACCOUNTS_URL }),
  )
  const providers = opened.use(openProviders(configuredProviders(config), { log, registry }))

  const background = new AbortController()
  const running: Promise<unknown>[] = []
  opened.defer(async () => {
    background.abort()
    await Promise.all(running)
  })
  const relay = startRelay({
    service,
    databaseUrl: config.PAYMENTS_DATABASE_URL,
    bus,
    log,
    metrics,
    signal: background.signal,
  })
  running.push(relay.stopped)

  const deps: PaymentDeps = {
    pool,
    prisma,
    origin: { service, publicUrl: config.PUBLIC_URL },
    ring: readKeyRing(config.ENCRYPTION_KEYS_FILE),
    providers,
    relay,
    internal,
    metrics: createPaymentMetrics(log, registry),
    schedule: parseCheckSchedule(config.PAYMENTS_CHECK_SCHEDULE),
  }

  const every = (everyMs: number, what: string, work: () => Promise<boolean | void>) => {
    const repeating = repeat(
      { everyMs, signal: background.signal, onError: (error) => log.error({ err: error }, what) },
      work,
    )
    running.push(repeating.stopped)
    return repeating
  }
  const checks = every(1_000, 'checks of payments failed', () => runDueChecks(deps, log))
  every(60_000, 'the ages of payments are unknown', async () => deps.metrics.aged(await findOldestPayments(pool)))
  every(600_000, 'the clean-up failed', async () => {
    await deleteExpiredKeys(pool)
    await deleteOldInboxRows(pool)
    await deleteOldProviderEvents(pool)
  })

  const consume = (consumer: Consumer, handle: ConsumerOptions['handle']) =>
    running.push(runConsumer({ consumer, service, bus, log, metrics, signal: background.signal, handle }))
  consume(consumers.paymentsAccounts, (message) => applyAccountEvent(pool, message.data))
  const applyProviderEvent = createProviderEvents(deps)
  consume(consumers.paymentsProviderEvents, (message) => applyProviderEvent(message.data))
  consume(consumers.paymentsSites, async (message) => {
    if (await applySiteEvent(deps, message.data)) checks.wake()
  })

  const migration = newestMigration(new URL('../prisma/migrations', import.meta.url))
  const ready = async () => {
    if (signal.aborted) throw new Error('stopping')
    if (!(await hasMigration(pool, migration))) throw new Error(`migration ${migration} is missing`)
    return { nats: bus.isConnected() ? 'connected' : 'disconnected' }
  }
  const verify = openTokenVerifier(service, config.INTERNAL_JWKS_FILE)
  const app = createApp({ name: service, log, ready, metrics: registry }, deps, verify)
  opened.defer(() => app.close())
  const url = await listen(app, { host: config.HOST, port: config.PORT })

  const owned = opened.move()
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
