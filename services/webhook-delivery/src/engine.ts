import type { Bus, EventMetrics, EventOrigin, Relay } from '@frontdesk/events'
import type { Logger } from 'pino'
import { openConnections } from './attempts/connections.ts'
import { replyCapBytes } from './attempts/post.ts'
import { createSender } from './attempts/sender.ts'
import { createSettingsCache } from './attempts/settings.ts'
import { runBackground } from './background.ts'
import { createDatabaseClock } from './database-clock.ts'
import type { Database } from './db.ts'
import { createDispatcher, defaultLimits } from './dispatch/dispatcher.ts'
import type { TargetRules } from './guard/addresses.ts'
import { guardedConnector } from './guard/connector.ts'
import type { Tunnels } from './guard/proxy.ts'
import type { Resolve } from './guard/resolver.ts'
import { deliveryConsumers } from './intake/incoming.ts'
import { runIntake } from './intake/intake.ts'
import { createHeartbeat } from './leases/heartbeat.ts'
import { createLeasedDeliveries } from './leases/leased.ts'
import type { DeliveryMetrics } from './metrics.ts'
import type { Partitions } from './partitions/partitions.ts'
import { createPoller } from './polling/poller.ts'
import { createRecorder } from './recording/recorder.ts'
import { createSignals, type Signals } from './signals.ts'
import type { PauseRule } from './subscriptions/domain.ts'
import { createSubscriptionHealth } from './subscriptions/health.ts'
import type { SubscriptionCipher } from './subscriptions/secrets.ts'

export interface EngineDeps {
  db: Database
  /** For a connection of its own. */
  databaseUrl: string
  bus: Bus
  cipher: SubscriptionCipher
  partitions: Partitions
  origin: EventOrigin
  relay: Relay
  resolve: Resolve
  rules: TargetRules
  tunnels: Tunnels | undefined
  waitsMs: readonly number[]
  deadlineMs: number
  leaseMs: number
  probeMs: number
  retentionDays: number
  pauseRule: PauseRule
  log: Logger
  metrics: EventMetrics & DeliveryMetrics
}

/** Takes events from the streams, sends their deliveries, and records the outcomes. */
export interface Engine {
  signals: Signals
  /** Takes and claims deliveries until `signal` aborts; requests under way go on. */
  run(signal: AbortSignal): Promise<void>
  /** Lets requests under way finish for `graceMs`, gives all other deliveries back, and records every outcome. */
  stop(graceMs: number): Promise<void>
}

/**
 * Puts the engine together from the end of a delivery's way to its beginning: each part is given the parts after it. A
 * part tells the parts before it something through `signals`.
 */
export function createEngine(deps: EngineDeps): Engine {
  const { db, origin, relay, leaseMs, probeMs, deadlineMs, waitsMs, log, metrics } = deps
  const pool = db.engine
  const signals = createSignals()
  const clock = createDatabaseClock()
  // A receiver that is cut off is probed about as often as its first retry would have come.
  const longestMs = Math.min(30_000, Math.max(100, waitsMs[0] ?? 5_000))
  const waits = { firstMs: Math.min(500, longestMs), longestMs }

  const health = createSubscriptionHealth({ pool, origin, rule: deps.pauseRule, probeMs, log })
  const recorder = createRecorder({ pool, health, origin, relay, signals, log, metrics })
  const connections = openConnections(guardedConnector(deps.rules, deps.resolve, deadlineMs, deps.tunnels), {
    maxHeaderSize: replyCapBytes,
  })
  metrics.connections.by(connections.count)
  const sender = createSender({
    pool,
    connections,
    settings: createSettingsCache(pool, deps.cipher, log),
    recorder,
    health,
    clock,
    policy: { waitsMs, random: Math.random },
    deadlineMs,
    leaseReserveMs: leaseMs / 3,
    log,
    metrics,
  })
  const leased = createLeasedDeliveries(defaultLimits.leased)
  const dispatcher = createDispatcher({
    sender,
    recorder,
    leased,
    waits,
    limits: defaultLimits,
    signals,
    log,
    metrics,
  })
  const heartbeat = createHeartbeat({ url: deps.databaseUrl, signals, log })
  const { newClaimId } = heartbeat
  const poller = createPoller({ pool, dispatcher, clock, leaseMs, newClaimId, log, metrics })
  const intake = { ...deps, pool, dispatcher, clock, newClaimId, signals }

  signals.on('waiting', poller.add)
  signals.on('manyDue', poller.poll)
  signals.on('room', poller.roomAt)
  signals.on('hold', dispatcher.setOnHold)
  signals.on('subscriptionChanged', (id) => {
    dispatcher.releaseSubscription(id)
    poller.poll()
  })
  // The heartbeat outlives `run`: other replicas must not take over deliveries that are still being sent.
  const leaving = new AbortController()
  const left = heartbeat.run(leaving.signal)

  return {
    signals,
    async run(signal) {
      await Promise.all([
        poller.run(signal),
        runBackground({ ...deps, clock, leased, dispatcher, health, signals }, signal),
        ...deliveryConsumers.map((consumer) => runIntake({ ...intake, consumer, signal })),
      ])
    },
    async stop(graceMs) {
      await dispatcher.stop(graceMs)
      // Without Postgres the leases lapse, and the attempts are made again.
      await recorder.drained(AbortSignal.timeout(2_000))
      await health.flush()
      await connections.destroy()
      leaving.abort()
      await left
    },
  }
}
