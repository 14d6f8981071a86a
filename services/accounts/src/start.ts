import { databaseUrls, newestMigration, openReadiness, untilMigrated } from '@frontdesk/database'
import { consumerStates, createEventMetrics, runConsumer, startRelay, watchBus } from '@frontdesk/events'
import { startSharingPace } from '@frontdesk/providers'
import { startSealing } from '@frontdesk/service/audit'
import { repeat, startCleanUp, watchClock, watched, watchLoop } from '@frontdesk/service/background'
import { listen } from '@frontdesk/service/http'
import { createMetrics } from '@frontdesk/service/metrics'
import { readConfig, type Running, type Start } from '@frontdesk/service/process'
import { openMountedVerifier } from '@frontdesk/service/tokens'
import { runDueChecks, runDueDeletions } from './accounts/background.ts'
import { createApp } from './app.ts'
import { Config } from './config.ts'
import { createHandlers } from './handlers.ts'
import { openResources } from './resources.ts'
import { retentions } from './retention.ts'

const service = 'accounts'

/** Starts accounts: HTTP, relay, consumers and background work in one process. Disposing stops everything in reverse order. */
export async function start({ env, log, signal }: Start): Promise<Running> {
  const config = readConfig(Config, env)
  const metrics = createMetrics({ service, release: config.RELEASE })
  const eventMetrics = createEventMetrics(metrics)
  await using opened = new AsyncDisposableStack()

  const { url: databaseUrl, directUrl } = databaseUrls('ACCOUNTS', config)
  const resources = opened.use(await openResources(config, { log, registry: metrics }))
  const { bus, pool } = resources
  watchBus(metrics, bus)

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
    metrics: eventMetrics,
    signal: background.signal,
    onTurn: watchLoop('the outbox relay', 600_000, background.signal).turn,
  })
  running.push(relay.stopped)

  const database = opened.use(openReadiness({ name: service, url: databaseUrl, directUrl, migration }))
  const clock = watchClock({ database, metrics, log, signal: background.signal })
  running.push(clock.stopped)

  const deps = resources.depsWith(relay, clock.now)

  for (const { consumer, handle } of createHandlers(deps)) {
    const consuming = { consumer, db: pool, bus, log, metrics: eventMetrics, signal: background.signal }
    running.push(migrated.then(() => runConsumer({ ...consuming, handle: watched(consumer.name, 600_000, handle) })))
  }

  const every = (everyMs: number, failure: string, work: () => Promise<boolean | void>) =>
    running.push(
      repeat(
        {
          everyMs,
          after: migrated,
          signal: background.signal,
          onError: (error) => log.error({ err: error }, failure),
        },
        work,
      ).stopped,
    )
  every(2_000, 'due checks of accounts failed', () => runDueChecks(deps, log))
  every(5_000, 'due deletions at providers failed', () => runDueDeletions(deps, log))
  const { signal: stopping } = background
  running.push(startSharingPace({ pool, providers: deps.providers, log, after: migrated, signal: stopping }).stopped)
  running.push(startCleanUp({ pool, retentions, log, after: migrated, signal: background.signal }).stopped)
  running.push(startSealing({ pool, log, after: migrated, signal: background.signal }).stopped)

  const ready = async () => {
    await database.check()
    return {
      nats: bus.state(),
      clock: clock.state(),
      consumers: consumerStates(eventMetrics),
    }
  }
  const verify = opened.use(await openMountedVerifier(service, config, log))
  const app = createApp({ name: service, log, ready, stopping: signal, metrics, tls: resources.tls }, deps, verify)
  opened.defer(() => app.close())
  const url = await listen(app, { host: config.HOST, port: config.PORT })

  const owned = opened.move()
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
