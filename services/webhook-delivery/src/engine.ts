import type { Pool } from '@frontdesk/database'
import type { EventOrigin, Relay } from '@frontdesk/events'
import type { Logger } from 'pino'
import type { DeliveryMetrics } from './metrics.ts'
import { guardedConnector } from './guard/connector.ts'
import type { Resolve } from './guard/resolver.ts'
import { createScanner, type Scanner } from './scanning/scanner.ts'
import { createDatabaseClock, type DatabaseClock } from './sending/clock.ts'
import { createConsequences } from './sending/consequences.ts'
import { applyEffects, isSpecial, lockSubscriptions } from './sending/effects.ts'
import { defaultLimits } from './sending/lane.ts'
import { createLanes, type Lanes } from './sending/lanes.ts'
import { keepLeases } from './sending/leases.ts'
import { openAgent } from './sending/post.ts'
import { createPresence } from './sending/presence.ts'
import { createRecorder } from './sending/recorder.ts'
import { createSender } from './sending/sender.ts'
import { createSettingsCache } from './sending/settings.ts'
import { oldestOpenId } from './sending/store.ts'
import type { PauseRule } from './subscriptions/domain.ts'
import { createSubscriptionHealth } from './subscriptions/health.ts'
import type { SubscriptionSeals } from './subscriptions/secrets.ts'
import { cancelPending } from './subscriptions/store.ts'

export interface EngineOptions {
  pool: Pool
  /** For a connection of its own. */
  databaseUrl: string
  seals: SubscriptionSeals
  origin: EventOrigin
  relay: Relay
  resolve: Resolve
  allowLoopback: boolean
  waitsMs: readonly number[]
  deadlineMs: number
  leaseMs: number
  probeMs: number
  pauseRule: PauseRule
  log: Logger
  metrics: DeliveryMetrics
  signal: AbortSignal
}

/** Sends what the intake and the scanner bring, and records what came of it. */
export interface Engine {
  lanes: Lanes
  scanner: Scanner
  clock: DatabaseClock
  newClaimId: () => string
  /** A subscription changed, here or in another copy: what waits in memory for it goes back to Postgres. */
  subscriptionChanged(subscriptionId: string): void
  /** Runs until the signal aborts. */
  run(): Promise<void>
  /** Lets requests under way finish for so long, gives the rest back, and records everything. */
  stop(graceMs: number): Promise<void>
}

export function createEngine(options: EngineOptions): Engine {
  const { pool, log, metrics, origin, relay, leaseMs, signal } = options
  const clock = createDatabaseClock()
  const agent = openAgent(
    guardedConnector({ allowLoopback: options.allowLoopback }, options.resolve, options.deadlineMs),
  )
  const settings = createSettingsCache(pool, options.seals, log)
  const firstWaitMs = options.waitsMs[0] ?? 5_000
  // A receiver that is cut off is probed about as often as its first retry would have come.
  const longestMs = Math.min(30_000, Math.max(100, firstWaitMs))
  const waits = { firstMs: Math.min(500, longestMs), longestMs }

  const health = createSubscriptionHealth({
    pool,
    origin,
    rule: options.pauseRule,
    probeMs: options.probeMs,
    log,
    onChange: (id) => subscriptionChanged(id),
  })

  const recorder = createRecorder({
    pool,
    log,
    metrics,
    isSpecial,
    lockFor: lockSubscriptions,
    applyWith: (tx, changes) => applyEffects(tx, changes, health, origin),
    onRecorded: (change, owned) => consequences.onRecorded(change, owned),
    onTrouble: (away) => lanes.setOnHold('postgres is away', away),
  })
  const sender = createSender({
    agent,
    settings,
    clock,
    policy: { waitsMs: options.waitsMs, random: Math.random },
    waits,
    deadlineMs: options.deadlineMs,
    leaseReserveMs: leaseMs / 3,
    log,
    metrics,
  })
  const lanes = createLanes({
    sender,
    recorder,
    waits,
    limits: defaultLimits,
    log,
    metrics,
    onTurn: (held, turn) => consequences.onTurn(held, turn),
    onRoom: (id) => scanner.roomAt(id),
  })
  const presence = createPresence({
    url: options.databaseUrl,
    log,
    onChange: (isPresent) => lanes.setOnHold('not present', !isPresent),
  })
  const scanner = createScanner({
    pool,
    lanes,
    clock,
    leaseMs,
    newClaimId: presence.newClaimId,
    log,
    metrics,
    signal,
    async onStrays(ids) {
      for (const id of ids) while (await cancelPending(pool, id, oldestOpenId(clock.now())));
    },
  })
  const consequences = createConsequences({ pool, scanner, health, relay, log, metrics, onChange: subscriptionChanged })
  metrics.unrecorded.by(() => recorder.waiting)

  // Nothing is sent before other copies can see who sends it.
  lanes.setOnHold('not present', true)
  const leaving = new AbortController()
  const present = presence.run(leaving.signal)

  function subscriptionChanged(subscriptionId: string): void {
    lanes.releaseSubscription(subscriptionId)
    scanner.survey()
  }

  return {
    lanes,
    scanner,
    clock,
    newClaimId: presence.newClaimId,
    subscriptionChanged,
    async run() {
      await Promise.all([scanner.run(), keepLeases({ pool, lanes, leaseMs, log, signal }), health.run(signal)])
    },
    async stop(graceMs) {
      await lanes.stop(graceMs)
      // Without Postgres the leases lapse, and the attempts are made again.
      await recorder.drained(AbortSignal.timeout(2_000))
      await agent.destroy()
      leaving.abort()
      await present
    },
  }
}
