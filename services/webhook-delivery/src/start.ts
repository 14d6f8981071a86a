import { consumers } from '@frontdesk/contracts'
import { hasMigration, newestMigration } from '@frontdesk/database'
import { createEventMetrics, openBus, runConsumer, startRelay, type Bus } from '@frontdesk/events'
import { repeat } from '@frontdesk/service/background'
import { readKeyRing } from '@frontdesk/service/encryption'
import { createMetrics, listen } from '@frontdesk/service/http'
import { parseDuration, parseSchedule, readConfig, type Running, type Start } from '@frontdesk/service/process'
import { openTokenVerifier } from '@frontdesk/service/tokens'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import { Config } from './config.ts'
import { openDatabase } from './db.ts'
import { createEngine, type Engine } from './engine.ts'
import { createResolver, type Resolve } from './guard/resolver.ts'
import { endOverdue, probePaused, tidyUp } from './housekeeping.ts'
import { runIntake } from './intake/intake.ts'
import { createDeliveryMetrics } from './metrics.ts'
import { createPartitions } from './partitions/maintenance.ts'
import { siteConsumer } from './subscriptions/consumers.ts'
import { subscriptionSeals } from './subscriptions/secrets.ts'

const service = 'webhook-delivery'
const attemptsBeforePause = 50
const migration = newestMigration(new URL('../prisma/migrations', import.meta.url))

export interface StartOptions extends Start {
  /** How names become addresses. Default: the network's DNS. */
  resolve?: Resolve
}

/** Puts the service together and starts it; what is returned stops it in the right order. */
export async function start({ env, log, signal, resolve = createResolver() }: StartOptions): Promise<Running> {
  const config = readConfig(Config, env)
  const registry = createMetrics()
  const metrics = { ...createEventMetrics(registry), ...createDeliveryMetrics(registry) }
  const ring = readKeyRing(config.ENCRYPTION_KEYS_FILE)
  const verify = openTokenVerifier(service, config.INTERNAL_JWKS_FILE)
  const origin = { service, publicUrl: config.PUBLIC_URL }
  const leaseMs = parseDuration(config.DELIVERY_LEASE)
  const probeMs = parseDuration(config.DELIVERY_PROBE_INTERVAL)
  await using opened = new AsyncDisposableStack()

  const databaseUrl = config.WEBHOOK_DELIVERY_DATABASE_URL
  const db = opened.use(
    openDatabase({ url: databaseUrl, size: config.DATABASE_POOL_SIZE, engineSize: config.DELIVERY_POOL_SIZE, log }),
  )
  const bus = opened.use(openBus({ url: config.NATS_URL, name: service, log }))

  const background = new AbortController()
  const running: Promise<unknown>[] = []
  const relay = startRelay({ service, databaseUrl, bus, log, metrics, signal: background.signal })
  running.push(relay.stopped)
  const seals = subscriptionSeals(ring)
  const partitions = createPartitions({ pool: db.pool, retentionDays: config.DELIVERY_RETENTION_DAYS, log })
  running.push(partitions.run(background.signal))

  const engine = createEngine({
    pool: db.engine,
    databaseUrl,
    seals,
    origin,
    relay,
    resolve,
    allowLoopback: config.DELIVERY_ALLOW_LOOPBACK,
    waitsMs: parseSchedule(config.DELIVERY_RETRY_SCHEDULE),
    deadlineMs: parseDuration(config.DELIVERY_DEADLINE),
    leaseMs,
    probeMs,
    pauseRule: { afterMs: parseDuration(config.DELIVERY_PAUSE_AFTER), attempts: attemptsBeforePause },
    log,
    metrics,
    signal: background.signal,
  })
  running.push(engine.run())
  // Last of what is stopped before the connections: what is in flight may finish, and is recorded.
  opened.defer(async () => {
    background.abort()
    await Promise.all(running)
    await engine.stop(Math.max(0, config.SHUTDOWN_GRACE - 8_000))
  })

  const shared = { bus, log, metrics, signal: background.signal }
  for (const consumer of [consumers.deliveryPayments, consumers.deliveryExternal]) {
    running.push(
      runIntake({
        ...shared,
        consumer,
        pool: db.engine,
        partitions,
        lanes: engine.lanes,
        clock: engine.clock,
        leaseMs,
        newClaimId: engine.newClaimId,
        onWaiting(made) {
          for (const { subscriptionId, endpointId, rank, dueInMs } of made) {
            engine.scanner.note({ subscriptionId, endpointId, rank, paused: false, waitMs: dueInMs })
          }
        },
      }),
    )
  }
  running.push(runConsumer({ ...shared, ...siteConsumer(db.pool), service }))
  running.push(...keepHouse({ db, origin, relay, probeMs, engine, log, signal: background.signal }))
  shareChanges(bus, engine, log)

  const ready = async () => {
    if (signal.aborted) throw new Error('stopping')
    if (!(await hasMigration(db.pool, migration))) throw new Error(`migration ${migration} is missing`)
    return { nats: bus.isConnected() ? 'connected' : 'away' }
  }
  const app = createApp({
    db,
    ring,
    seals,
    verify,
    relay,
    origin,
    partitions,
    rules: { allowHttp: config.DELIVERY_ALLOW_HTTP, allowLoopback: config.DELIVERY_ALLOW_LOOPBACK },
    log,
    metrics: registry,
    ready,
    onChange(subscriptionId) {
      engine.subscriptionChanged(subscriptionId)
      bus.nudge(`${changes}.${subscriptionId}`)
    },
    onDue: (due) => engine.scanner.note({ ...due, paused: false, waitMs: 0 }),
    onManyDue: () => engine.scanner.survey(),
  })
  opened.defer(() => app.close())
  const url = await listen(app, { host: config.HOST, port: config.PORT })

  const owned = opened.move()
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

interface Keeper {
  db: { pool: Parameters<typeof tidyUp>[0]['pool'] }
  origin: { service: string; publicUrl: string }
  relay: Parameters<typeof tidyUp>[0]['relay']
  probeMs: number
  engine: Engine
  log: Logger
  signal: AbortSignal
}

function keepHouse({ db, origin, relay, probeMs, engine, log, signal }: Keeper): Promise<void>[] {
  const house = { pool: db.pool, origin, relay, probeMs }
  const every = (everyMs: number, what: string, work: () => Promise<boolean | void>) =>
    repeat({ everyMs, signal, onError: (error) => log.warn({ err: error }, what) }, work).stopped
  return [
    every(Math.min(30_000, probeMs / 4), 'paused subscriptions could not be probed', async () => {
      if (await probePaused(house)) engine.scanner.survey()
    }),
    every(60_000, 'overdue deliveries could not be ended', () => endOverdue(house, engine.clock.now())),
    every(600_000, 'the clean-up failed', () => tidyUp(house)),
  ]
}

const changes = `nudge.${service}.subscription`

/** Other copies say which subscriptions changed; what this one holds for them in memory is read afresh. */
function shareChanges(bus: Bus, engine: Engine, log: Logger): void {
  bus.connection().then(
    (connection) => {
      connection.subscribe(`${changes}.*`, {
        callback(error, message) {
          if (error === null) engine.subscriptionChanged(message.subject.slice(changes.length + 1))
        },
      })
    },
    (error) => log.debug({ err: error }, 'changes of other copies are not heard'),
  )
}
