import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from '@frontdesk/database'
import type { Logger } from 'pino'
import type { DatabaseClock } from '../database-clock.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { oldestOpenId } from '../event-ids.ts'
import { createTakeover } from '../leases/takeover.ts'
import type { DeliveryMetrics } from '../metrics.ts'
import type { WaitingDelivery } from '../signals.ts'
import { cancelPending } from '../subscriptions/store.ts'
import { createAlarm } from './alarm.ts'
import { keepDoing } from './keep-doing.ts'
import { settleLines } from './settling.ts'
import { claimDue, postponeLines, visitDue, type Line } from './store.ts'
import { addLine, applyClaim, applySettled, planClaims, type KnownLines } from './waiting.ts'

const largestClaim = 500
const largestPoll = 250
// With so many, those of endpoints that do not answer are left to the polls: every claim looks through all.
const manyLines = 500
const pollEveryMs = 1_000
// Polls that something asked for: it may ask thousands of times a second.
const pollsApartMs = 20
// Beyond the next poll, so that a delivery is known before it is due, and sent to the millisecond.
const aheadMs = 1_500
// For so long a line is left to the replica that found it.
const visitMs = 5_000

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
  const lines: KnownLines = new Map()
  let backlog = new Set<bigint>()
  const freeDeadReplicas = createTakeover(leaseMs)
  const claims = createAlarm(pollEveryMs)
  const polls = createAlarm(pollEveryMs)

  /** Asks Postgres for lines that are due. Returns when to ask again. */
  async function poll(): Promise<number> {
    const askedAt = performance.now()
    const nextAt = askedAt + pollEveryMs * (0.9 + Math.random() * 0.2)
    // What is found now could not be sent by this process, and is left to others.
    if (dispatcher.takesNothing()) return nextAt
    const found = await visitDue(pool, { most: largestPoll, aheadMs, visitMs })
    metrics.pollSeconds.observe((performance.now() - askedAt) / 1000)
    for (const line of found) if (line.throttledMs > 0) dispatcher.throttle(line.endpointId, line.throttledMs)
    const plan = dispatcher.plan()
    const resting: (Line & { waitMs: number })[] = []
    for (const { endpointId, rank, dueInMs } of found) {
      const quietMs = dispatcher.quietUntil(endpointId) - askedAt
      if (quietMs > aheadMs) resting.push({ endpointId, rank, waitMs: quietMs })
      else if (plan.isUseful(endpointId)) {
        addLine(lines, { endpointId, rank, dueAt: askedAt + dueInMs, addedAt: askedAt })
        plan.reserve(endpointId, 1)
      }
    }
    claims.wake()
    if (resting.length > 0) await postponeLines(pool, resting)
    return found.length === largestPoll ? performance.now() + pollsApartMs : nextAt
  }

  async function takeOver(): Promise<number> {
    const startedAt = performance.now()
    const freed = await freeDeadReplicas(pool, oldestOpenId(clock.now()), startedAt)
    if (freed > 0) {
      metrics.takenOver.inc(freed)
      log.info({ freed }, 'took over deliveries of a dead replica')
      polls.wake()
    }
    return performance.now() + pollEveryMs * (0.9 + Math.random() * 0.2)
  }

  /** Makes one claim for all endpoints that have work and room. Returns when to look again. */
  async function claim(): Promise<number> {
    const now = performance.now()
    // Polls will find them again.
    if (lines.size > manyLines)
      for (const [key, line] of lines) if (dispatcher.isHanging(line.endpointId)) lines.delete(key)
    const plan = planClaims(lines, now, largestClaim, {
      ...dispatcher.plan(),
      worthwhile: (id) => dispatcher.worthwhile(id),
      quietUntil: (id) => dispatcher.quietUntil(id),
    })
    setBacklog(plan.backlog)
    if (plan.quotas.length === 0) return plan.nextAt
    const oldestId = oldestOpenId(clock.now())
    const claimed = await claimDue(pool, plan.quotas, { claimId: deps.newClaimId(), leaseMs, oldestId })
    clock.set(claimed.now, now)
    dispatcher.accept(claimed.deliveries, 'poller')
    const short = applyClaim(lines, plan.quotas, claimed.counts)
    if (short.length > 0) await settle(short, now, oldestId)
    return 0
  }

  async function settle(short: readonly Line[], claimedAt: number, oldestId: string): Promise<void> {
    const settled = await settleLines(pool, short, oldestId)
    applySettled(lines, short, settled.lines, { claimedAt, now: performance.now(), aheadMs })
    for (const id of settled.ended) while (await cancelPending(pool, id, oldestId));
  }

  function setBacklog(next: Set<bigint>): void {
    for (const id of backlog) if (!next.has(id)) dispatcher.setBacklog(id, false)
    for (const id of next) if (!backlog.has(id)) dispatcher.setBacklog(id, true)
    backlog = next
  }

  metrics.waitingLines.by(() => lines.size)
  metrics.lateSeconds.by(() => latenessOf(lines, dispatcher) / 1000)

  return {
    add({ rank, endpointId, waitMs }) {
      // A poll will find what is due later.
      if (waitMs > aheadMs || dispatcher.isHanging(endpointId)) return
      if (lines.size > manyLines && !dispatcher.plan().isUseful(endpointId)) return
      const now = performance.now()
      addLine(lines, { endpointId, rank, dueAt: now + waitMs, addedAt: now })
      claims.wake()
    },
    poll: () => polls.wake(),
    roomAt(endpointId) {
      if (!backlog.has(endpointId)) return
      if (dispatcher.plan().room(endpointId) >= dispatcher.worthwhile(endpointId)) claims.wake()
    },
    async run(signal) {
      // Apart from each other: a failing poll does not keep what is known from being claimed.
      await Promise.all([
        keepDoing('claim', claim, claims, { log, signal }),
        keepDoing(
          'poll',
          async () => {
            const nextAt = await poll()
            await wait(pollsApartMs, undefined, { signal }).catch(() => {})
            return nextAt
          },
          polls,
          { log, signal },
        ),
        keepDoing('take over', takeOver, createAlarm(pollEveryMs), { log, signal }),
      ])
    },
  }
}

/** For how many milliseconds the oldest delivery that could be sent has been due. */
function latenessOf(lines: KnownLines, dispatcher: Dispatcher): number {
  const now = performance.now()
  const sendable = [...lines.values()].filter((line) => dispatcher.quietUntil(line.endpointId) <= now)
  return sendable.reduce((longest, line) => Math.max(longest, now - line.dueAt), 0)
}
