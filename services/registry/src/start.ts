import { hasMigration, newestMigration } from '@frontdesk/database'
import { createEventMetrics, openBus, startRelay } from '@frontdesk/events'
import { readKeyRing } from '@frontdesk/service/encryption'
import { createMetrics, listen } from '@frontdesk/service/http'
import type { Running, Start } from '@frontdesk/service/process'
import { openTokenVerifier } from '@frontdesk/service/tokens'
import { createApp } from './app.ts'
import { keepCatalogueSaved, sweepIdempotencyKeys } from './background.ts'
import { registryConfig } from './config.ts'
import { openDatabase } from './db.ts'
import { readCatalogue } from './practice-management-systems/catalogue-file.ts'

const requiredMigration = newestMigration(new URL('../prisma/migrations', import.meta.url))

/**
 * Starts the registry: HTTP, relay and housekeeping in one process. It starts without Postgres and without NATS, and
 * is ready once its database is. Disposing of it stops all in the opposite order: requests first, the database last.
 * Throws ConfigError, and where a file it is given cannot be read.
 */
export async function start({ env, log, signal }: Start): Promise<Running> {
  const config = registryConfig(env)
  const ring = readKeyRing(config.ENCRYPTION_KEYS_FILE)
  const catalogue = readCatalogue(config.PMS_CATALOG_FILE)
  const verify = openTokenVerifier('registry', config.INTERNAL_JWKS_FILE)
  const metrics = createMetrics()

  await using opened = new AsyncDisposableStack()
  const database = opened.use(
    openDatabase({ url: config.REGISTRY_DATABASE_URL, size: config.REGISTRY_DATABASE_POOL, log }),
  )
  const bus = opened.use(openBus({ url: config.NATS_URL, name: 'registry', log }))

  const background = new AbortController()
  const relay = startRelay({
    service: 'registry',
    databaseUrl: config.REGISTRY_DATABASE_URL,
    bus,
    log,
    metrics: createEventMetrics(metrics),
    signal: background.signal,
  })
  const catalogueSaved = keepCatalogueSaved(database.pool, catalogue, log, background.signal)
  const swept = sweepIdempotencyKeys(database.pool, log, background.signal)
  opened.defer(async () => {
    background.abort()
    await Promise.all([relay.stopped, catalogueSaved.stopped, swept])
  })

  async function ready(): Promise<Record<string, unknown>> {
    if (signal.aborted) throw new Error('stopping')
    if (!(await hasMigration(database.pool, requiredMigration)))
      throw new Error(`migration ${requiredMigration} is missing`)
    if (!catalogueSaved.isSaved()) throw new Error('the catalogue of practice management systems is not saved yet')
    return { nats: bus.isConnected() ? 'connected' : 'away' }
  }

  const app = createApp({
    database,
    ring,
    catalogue,
    verify,
    metrics,
    log,
    ready,
    origin: { service: 'registry', publicUrl: config.PUBLIC_URL },
    wakeRelay: relay.wake,
  })
  opened.defer(() => app.close())
  // Sites refer to the catalogue. Without a database this fails soon, and is made up for later.
  await catalogueSaved.attempted
  const url = await listen(app, { host: config.HOST, port: config.PORT })

  const running = opened.move()
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
