import { databaseUrls, newestMigration, openReadiness, untilMigrated } from '@frontdesk/database'
import { createEventMetrics, openBus, startRelay, watchBus } from '@frontdesk/events'
import { startSealing } from '@frontdesk/service/audit'
import { startCleanUp, watchClock, watchLoop } from '@frontdesk/service/background'
import { openKeyRing } from '@frontdesk/service/encryption'
import { listen } from '@frontdesk/service/http'
import { createMetrics, watchPools } from '@frontdesk/service/metrics'
import { readConfig, type Running, type Start } from '@frontdesk/service/process'
import { openInternalClient } from '@frontdesk/service/calls'
import { openInternalTls } from '@frontdesk/service/tls'
import { openMountedIssuer, openMountedVerifier } from '@frontdesk/service/tokens'
import { createApp } from './app.ts'
import { keepCatalogueSaved } from './background.ts'
import { Config } from './config.ts'
import { openDatabase } from './db.ts'
import { readCatalogue } from './practice-management-systems/catalogue-file.ts'
import { retentions } from './retention.ts'

const service = 'registry'
const requiredMigration = newestMigration(new URL('../prisma/migrations', import.meta.url))

/**
 * Starts the registry: HTTP, relay and background work in one process. It starts without Postgres and without NATS, and
 * is ready once its database is. Disposing stops everything in reverse order: requests first, the database last.
 * Throws ConfigError, and an Error when a configured file cannot be read.
 */
export async function start({ env, log, signal }: Start): Promise<Running> {
  const config = readConfig(Config, env)
  const catalogue = readCatalogue(config.PMS_CATALOG_FILE)
  const metrics = createMetrics({ service, release: config.RELEASE })

  await using opened = new AsyncDisposableStack()
  const ring = opened.use(await openKeyRing(config.ENCRYPTION_KEYS_FILE, log))
  const verify = opened.use(await openMountedVerifier(service, config, log))
  const tls = opened.use(await openInternalTls(config, log))
  const { url: databaseUrl, directUrl } = databaseUrls('REGISTRY', config)
  const { pool, prisma, listPool } = opened.use(
    openDatabase({ url: databaseUrl, size: config.DATABASE_POOL_SIZE, log }),
  )
  watchPools(metrics, { requests: pool, lists: listPool })
  const bus = watchBus(metrics, opened.use(openBus({ settings: config, name: service, log })))

  const background = new AbortController()
  const migrated = untilMigrated(pool, requiredMigration, background.signal, (err) =>
    log.warn({ err }, 'events wait for the newest migration'),
  )
  const relay = startRelay({
    service,
    after: migrated,
    databaseUrl: directUrl,
    bus,
    log,
    metrics: createEventMetrics(metrics),
    signal: background.signal,
    onTurn: watchLoop('the outbox relay', 600_000, background.signal).turn,
  })
  const database = opened.use(
    openReadiness({ name: service, url: databaseUrl, directUrl, migration: requiredMigration }),
  )
  const clock = watchClock({ database, metrics, log, signal: background.signal })
  const catalogueSaved = keepCatalogueSaved(pool, catalogue, log, background.signal)
  const cleanUp = startCleanUp({ pool, retentions, log, after: migrated, signal: background.signal })
  const sealing = startSealing({ pool, log, after: migrated, signal: background.signal })
  opened.defer(async () => {
    background.abort()
    await Promise.all([relay.stopped, catalogueSaved.stopped, cleanUp.stopped, clock.stopped, sealing.stopped])
  })

  async function ready(): Promise<Record<string, unknown>> {
    await database.check()
    if (!catalogueSaved.isSaved()) throw new Error('the catalogue of practice management systems is not saved yet')
    return { nats: bus.state(), clock: clock.state() }
  }

  const issuer = opened.use(await openMountedIssuer(service, config, log))
  const internal = opened.use(openInternalClient(issuer, { 'webhook-delivery': config.WEBHOOK_DELIVERY_URL }, { tls }))
  const origin = { service, publicUrl: config.PUBLIC_URL }
  const app = createApp(
    { name: service, log, ready, stopping: signal, metrics, tls },
    { pool, prisma, listPool, ring, catalogue, origin, relay, internal },
    verify,
  )
  opened.defer(() => app.close())
  // Sites refer to the catalogue. Without a database the attempt fails soon, and is repeated in the background.
  await catalogueSaved.attempted
  const url = await listen(app, { host: config.HOST, port: config.PORT })

  const owned = opened.move()
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
