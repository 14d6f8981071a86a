import { setTimeout as wait } from 'node:timers/promises'
import { isUnavailable, type Pool } from '@frontdesk/database'
import type { Logger } from 'pino'
import type { DatabaseClock } from '../database-clock.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { oldestOpenId } from '../event-ids.ts'
import { createTakeover } from '../leases/takeover.ts'
import type { DeliveryMetrics } from '../metrics.ts'
import type { WaitingDelivery } from '../signals.ts'
import { cancelPending } from '../subscriptions/store.ts'
import { createAlarm } from './alarm.ts'
import { claimDue, pollWaiting } from './store.ts'
import { addWaiting, applyClaim, applyPoll, isSendable, planClaims, type Pairs } from './waiting.ts'

const largestClaim = 500
const pollEveryMs = 1_000

export interface PollerDeps {
  pool: Pool
  dispatcher: Dispatcher
  clock: DatabaseClock
  leaseMs: number
  newClaimId: () => string
  log: Logger
  metrics: DeliveryMetrics
}

/** Brings deliveries that wait in Postgres to the dispatcher: retries, parked ones, and those of dead replicas. */
export interface Poller {
  /** Adds a delivery that waits: the poller wakes when it is due. */
  add(delivery: WaitingDelivery): void
  /** Polls at once, because something changed in Postgres. */
  poll(): void
  /** An endpoint has room again. */
  roomAt(endpointId: bigint): void
  /** Settles when `signal` has aborted. */
  run(signal: AbortSignal): Promise<void>
}

export function createPoller(deps: PollerDeps): Poller {
  const { pool, dispatcher, clock, leaseMs, log, metrics } = deps
  const pairs: Pairs = new Map()
  let backlog = new Set<bigint>()
  let pollAt = 0
  const freeDeadReplicas = createTakeover(leaseMs)
  const alarm = createAlarm(pollEveryMs)

  async function poll(): Promise<void> {
    const startedAt = performance.now()
    const oldest = oldestOpenId(clock.now())
    const freed = await freeDeadReplicas(pool, oldest, startedAt)
    if (freed > 0) {
      metrics.takenOver.inc(freed)
      log.info({ freed }, 'took over deliveries of a dead replica')
    }
    const askedAt = performance.now()
    const found = await pollWaiting(pool, oldest)
    const live = found.filter((pair) => !pair.ended)
    applyPoll(pairs, live, askedAt)
    for (const pair of found) if (pair.throttledMs > 0) dispatcher.throttle(pair.endpointId, pair.throttledMs)
    const ended = new Set(found.filter((pair) => pair.ended).map((pair) => pair.subscriptionId))
    for (const id of ended) while (await cancelPending(pool, id, oldest));
    // Polling takes no more than a twentieth of the time, however many deliveries wait.
    const now = performance.now()
    pollAt = now + Math.max(pollEveryMs, 20 * (now - startedAt)) * (0.9 + Math.random() * 0.2)
  }

  /** Makes one claim for all endpoints that have work and room. Returns when to look again. */
  async function claim(): Promise<number> {
    const now = performance.now()
    const plan = planClaims(pairs, now, largestClaim, {
      room: (id) => dispatcher.room(id, 'poller'),
      worthwhile: (id) => dispatcher.worthwhile(id),
      quietUntil: (id) => dispatcher.quietUntil(id),
    })
    setBacklog(plan.backlog)
    if (plan.quotas.length === 0) return plan.nextAt
    const claimed = await claimDue(pool, plan.quotas, {
      claimId: deps.newClaimId(),
      leaseMs,
      oldestId: oldestOpenId(clock.now()),
    })
    clock.set(claimed.now, now)
    applyClaim(pairs, plan.quotas, claimed.pairs, now)
    dispatcher.accept(claimed.deliveries, 'poller')
    return 0
  }

  function setBacklog(next: Set<bigint>): void {
    for (const id of backlog) if (!next.has(id)) dispatcher.setBacklog(id, false)
    for (const id of next) if (!backlog.has(id)) dispatcher.setBacklog(id, true)
    backlog = next
  }

  metrics.waitingPairs.by(() => pairs.size)
  metrics.lateSeconds.by(() => {
    const now = performance.now()
    const sendable = [...pairs.values()].filter(
      (pair) => isSendable(pair) && dispatcher.quietUntil(pair.endpointId) <= now,
    )
    return sendable.reduce((longest, pair) => Math.max(longest, now - pair.dueAt), 0) / 1000
  })

  return {
    add({ subscriptionId, rank, endpointId, waitMs }) {
      const now = performance.now()
      addWaiting(pairs, { subscriptionId, rank, endpointId, paused: false, dueAt: now + waitMs, addedAt: now })
      alarm.wake()
    },
    poll() {
      pollAt = 0
      alarm.wake()
    },
    roomAt(endpointId) {
      if (!backlog.has(endpointId)) return
      if (dispatcher.room(endpointId, 'poller') >= dispatcher.worthwhile(endpointId)) alarm.wake()
    },
    async run(signal) {
      signal.addEventListener('abort', alarm.wake, { once: true })
      while (!signal.aborted) {
        try {
          if (performance.now() >= pollAt) await poll()
          const nextAt = await claim()
          await alarm.sleepUntil(Math.min(nextAt, pollAt))
        } catch (error) {
          if (signal.aborted) return
          if (isUnavailable(error)) log.debug({ err: error }, 'Postgres is away; nothing can be claimed')
          else log.error({ err: error }, 'the poller failed; trying again')
          await wait(500, undefined, { signal }).catch(() => {})
        }
      }
    },
  }
}
