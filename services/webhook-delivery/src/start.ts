import { databaseUrls, newestMigration, openReadiness, untilMigrated } from '@frontdesk/database'
import {
  consumerStates,
  createEventMetrics,
  openBus,
  runConsumer,
  startRelay,
  watchBus,
  type Bus,
} from '@frontdesk/events'
import { watchClock, watchLoop } from '@frontdesk/service/background'
import { openKeyRing } from '@frontdesk/service/encryption'
import { listen } from '@frontdesk/service/http'
import { createMetrics } from '@frontdesk/service/metrics'
import {
  ConfigError,
  parseDuration,
  parseSchedule,
  readConfig,
  type Running,
  type Start,
} from '@frontdesk/service/process'
import { openInternalTls } from '@frontdesk/service/tls'
import { openMountedVerifier } from '@frontdesk/service/tokens'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import { Config } from './config.ts'
import { openDatabase } from './db.ts'
import { createEngine } from './engine.ts'
import { openTunnels } from './guard/proxy.ts'
import { createResolver, type Resolve } from './guard/resolver.ts'
import { parsePorts, parseTargets, type Targets } from './guard/targets.ts'
import { createDeliveryMetrics } from './metrics.ts'
import { createPartitions } from './partitions/partitions.ts'
import type { Signals } from './signals.ts'
import { siteConsumer } from './subscriptions/consumers.ts'
import type { UrlRules } from './subscriptions/domain.ts'
import { subscriptionCipher } from './subscriptions/secrets.ts'

const service = 'webhook-delivery'
const attemptsBeforePause = 50
const migration = newestMigration(new URL('../prisma/migrations', import.meta.url))

export interface StartDeps extends Start {
  /** Resolves host names. Default: the network's DNS. */
  resolve?: Resolve
}

/** Puts the service together and starts it. The result stops it in the right order. */
export async function start({ env, log, signal, resolve = createResolver() }: StartDeps): Promise<Running> {
  const config = readConfig(Config, env)
  const registry = createMetrics({ service, release: config.RELEASE })
  const metrics = { ...createEventMetrics(registry), ...createDeliveryMetrics(registry) }
  const origin = { service, publicUrl: config.PUBLIC_URL }
  const rules = deliveryRules(config)
  await using opened = new AsyncDisposableStack()
  const ring = opened.use(await openKeyRing(config.ENCRYPTION_KEYS_FILE, log))
  const verify = opened.use(await openMountedVerifier(service, config, log))
  const tls = opened.use(await openInternalTls(config, log))

  // The direct one is for sessions that hold locks.
  const { url: pooledUrl, directUrl: databaseUrl } = databaseUrls('WEBHOOK_DELIVERY', config)
  const sizes = { size: config.DATABASE_POOL_SIZE, engineSize: config.DELIVERY_POOL_SIZE }
  const db = opened.use(openDatabase({ url: pooledUrl, ...sizes, log, registry }))
  const bus = watchBus(registry, opened.use(openBus({ settings: config, name: service, log })))
  const background = new AbortController()
  const shared = { bus, log, metrics, signal: background.signal }
  const migrated = untilMigrated(db.pool, migration, background.signal, (err) =>
    log.warn({ err }, 'events and deliveries wait for the newest migration'),
  )
  const relay = startRelay({
    ...shared,
    service,
    databaseUrl,
    after: migrated,
    onTurn: watchLoop('the outbox relay', 600_000, background.signal).turn,
  })
  const cipher = subscriptionCipher(ring)
  const partitions = createPartitions({
    pool: db.pool,
    url: databaseUrl,
    retentionDays: config.DELIVERY_RETENTION_DAYS,
    log,
  })

  const proxyUrl = config.DELIVERY_PROXY_URL
  const tunnels = proxyUrl === undefined ? undefined : opened.use(openTunnels(proxyUrl))
  const engine = createEngine({
    db,
    databaseUrl,
    bus,
    cipher,
    partitions,
    origin,
    relay,
    resolve,
    rules,
    tunnels,
    waitsMs: parseSchedule(config.DELIVERY_RETRY_SCHEDULE),
    deadlineMs: parseDuration(config.DELIVERY_DEADLINE),
    leaseMs: parseDuration(config.DELIVERY_LEASE),
    probeMs: parseDuration(config.DELIVERY_PROBE_INTERVAL),
    retentionDays: config.DELIVERY_RETENTION_DAYS,
    pauseRule: { afterMs: parseDuration(config.DELIVERY_PAUSE_AFTER), attempts: attemptsBeforePause },
    log,
    metrics,
  })
  const onChange = shareChanges(bus, engine.signals, log)
  const running = [
    relay.stopped,
    migrated.then(() => engine.run(background.signal)),
    migrated.then(() => {
      const ending = { pool: db.pool, origin, onChange, wake: () => relay.wake() }
      return runConsumer({ ...shared, ...siteConsumer(ending), db: db.pool })
    }),
  ]
  // The engine stops last, so that requests under way may finish and be recorded.
  opened.defer(async () => {
    background.abort()
    await Promise.all(running)
    await engine.stop(Math.max(0, parseDuration(config.SHUTDOWN_GRACE) - 8_000))
  })
  const database = opened.use(openReadiness({ name: service, url: pooledUrl, directUrl: databaseUrl, migration }))
  const clock = watchClock({ database, metrics: registry, log, signal: background.signal })
  running.push(clock.stopped)

  const app = createApp({
    db,
    ring,
    cipher,
    verify,
    tls,
    relay,
    origin,
    partitions,
    signals: engine.signals,
    externalBytesPerDay: config.EXTERNAL_EVENTS_BYTES_PER_DAY,
    rules,
    log,
    metrics: registry,
    stopping: signal,
    async ready() {
      await database.check()
      const nats = bus.state()
      return { nats, clock: clock.state(), consumers: consumerStates(metrics) }
    },
    onChange,
  })
  opened.defer(() => app.close())
  const url = await listen(app, { host: config.HOST, port: config.PORT })

  const owned = opened.move()
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const changes = `nudge.${service}.subscription`

/** Where deliveries may go, by the configuration. Throws ConfigError for a list that cannot be read. */
function deliveryRules(config: Config): UrlRules {
  const allowHttp = config.DELIVERY_ALLOW_HTTP
  return {
    allowHttp,
    allowLoopback: config.DELIVERY_ALLOW_LOOPBACK,
    ports: parsePorts(config.DELIVERY_PORTS + (allowHttp ? ',80' : '')),
    opened: targetsIn(config, 'DELIVERY_OPENED_TARGETS'),
    closed: targetsIn(config, 'DELIVERY_CLOSED_TARGETS'),
  }
}

function targetsIn(config: Config, name: 'DELIVERY_OPENED_TARGETS' | 'DELIVERY_CLOSED_TARGETS'): Targets {
  try {
    return parseTargets(config[name] ?? '')
  } catch (error) {
    throw new ConfigError([`${name}: ${error instanceof Error ? error.message : String(error)}`])
  }
}

/** Passes on which subscriptions other replicas have changed. Returns what tells all of them of a change here. */
function shareChanges(bus: Bus, signals: Signals, log: Logger): (subscriptionId: string) => void {
  bus.connection().then(
    (connection) => {
      connection.subscribe(`${changes}.*`, {
        callback(error, message) {
          if (error === null) signals.emit('subscriptionChanged', message.subject.slice(changes.length + 1))
        },
      })
    },
    (error) => log.debug({ err: error }, 'changes of other replicas are not heard'),
  )
  return (subscriptionId) => {
    signals.emit('subscriptionChanged', subscriptionId)
    bus.nudge(`${changes}.${subscriptionId}`)
  }
}
