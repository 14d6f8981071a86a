import { databaseUrls, newestMigration, openReadiness, untilMigrated } from '@frontdesk/database'
import { consumerStates, createEventMetrics, runConsumer, startRelay, watchBus } from '@frontdesk/events'
import { startSharingPace } from '@frontdesk/providers'
import { startSealing } from '@frontdesk/service/audit'
import { repeat, startCleanUp, watchClock, watched, watchLoop } from '@frontdesk/service/background'
import { listen } from '@frontdesk/service/http'
import { createMetrics } from '@frontdesk/service/metrics'
import { readConfig, type Running, type Start } from '@frontdesk/service/process'
import { openMountedVerifier } from '@frontdesk/service/tokens'
import { createApp } from './app.ts'
import { runDueChecks } from './checks/background.ts'
import { Config } from './config.ts'
import { createHandlers } from './handlers.ts'
import { findOpenRefunds } from './payment/refund-store.ts'
import { findOpenPayments } from './payment/store.ts'
import { openResources } from './resources.ts'
import { retentions } from './retention.ts'

const service = 'payments'

/** Starts the service. Disposing the result stops its parts in reverse order. */
export async function start({ env, log, signal }: Start): Promise<Running> {
  const config = readConfig(Config, env)
  const registry = createMetrics({ service, release: config.RELEASE })
  const metrics = createEventMetrics(registry)
  await using opened = new AsyncDisposableStack()

  const { url: databaseUrl, directUrl } = databaseUrls('PAYMENTS', config)
  const resources = opened.use(await openResources(config, { log, registry }))
  const { bus, pool } = resources
  watchBus(registry, bus)

  const background = new AbortController()
  const running: Promise<unknown>[] = []
  opened.defer(async () => {
    background.abort()
    await Promise.all(running)
  })
  const migration = newestMigration(new URL('../prisma/migrations', import.meta.url))
  const migrated = untilMigrated(pool, migration, background.signal, (err) =>
    log.warn({ err }, 'events and checks wait for the newest migration'),
  )
  const relay = startRelay({
    service,
    after: migrated,
    databaseUrl: directUrl,
    bus,
    log,
    metrics,
    signal: background.signal,
    onTurn: watchLoop('the outbox relay', 600_000, background.signal).turn,
  })
  running.push(relay.stopped)

  const database = opened.use(openReadiness({ name: service, url: databaseUrl, directUrl, migration }))
  const clock = watchClock({ database, metrics: registry, log, signal: background.signal })
  running.push(clock.stopped)

  const deps = resources.depsWith(relay, clock.now)

  const every = (everyMs: number, what: string, work: () => Promise<boolean | void>) => {
    const repeating = repeat(
      { everyMs, after: migrated, signal: background.signal, onError: (error) => log.error({ err: error }, what) },
      work,
    )
    running.push(repeating.stopped)
    return repeating
  }
  const checks = every(1_000, 'checks of payments failed', () => runDueChecks(deps, log))
  let measuredAt = -Infinity
  every(5_000, 'how many payments are open is unknown', async () => {
    // One replica reads for all of them: it may not lead yet when it starts.
    if (!relay.leads()) {
      measuredAt = -Infinity
      return deps.metrics.opened(undefined)
    }
    if (performance.now() - measuredAt < 60_000) return
    measuredAt = performance.now()
    deps.metrics.opened({ payments: await findOpenPayments(pool), refunds: await findOpenRefunds(pool) })
  })
  const { signal: stopping } = background
  running.push(startSharingPace({ pool, providers: deps.providers, log, after: migrated, signal: stopping }).stopped)
  running.push(startCleanUp({ pool, retentions, log, after: migrated, signal: background.signal }).stopped)
  running.push(startSealing({ pool, log, after: migrated, signal: background.signal }).stopped)

  for (const { consumer, handle } of createHandlers(deps, checks.wake)) {
    const consuming = { consumer, db: pool, bus, log, metrics, signal: background.signal }
    running.push(migrated.then(() => runConsumer({ ...consuming, handle: watched(consumer.name, 600_000, handle) })))
  }

  const ready = async () => {
    await database.check()
    return {
      nats: bus.state(),
      clock: clock.state(),
      consumers: consumerStates(metrics),
    }
  }
  const verify = opened.use(await openMountedVerifier(service, config, log))
  const app = createApp(
    { name: service, log, ready, stopping: signal, metrics: registry, tls: resources.tls },
    deps,
    verify,
  )
  opened.defer(() => app.close())
  const url = await listen(app, { host: config.HOST, port: config.PORT })

  const owned = opened.move()
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
