import { setTimeout as wait } from 'node:timers/promises'
import { isUnavailable, type Pool } from '@frontdesk/database'
import type { Logger } from 'pino'
import type { DeliveryMetrics } from '../metrics.ts'
import type { DatabaseClock } from '../sending/clock.ts'
import type { Lanes } from '../sending/lanes.ts'
import { oldestOpenId } from '../sending/store.ts'
import { claimDue, surveyWaiting } from './store.ts'
import { createTakeover } from './takeover.ts'
import { createAlarm } from './alarm.ts'
import { applyClaim, applySurvey, isSendable, note, planClaims, type Pair, type Pairs } from './waiting.ts'

const largestClaim = 500
const surveyEveryMs = 1_000

export interface ScannerOptions {
  pool: Pool
  lanes: Lanes
  clock: DatabaseClock
  leaseMs: number
  newClaimId: () => string
  log: Logger
  metrics: DeliveryMetrics
  /** Deliveries of a subscription that was ended in the moment they were made. */
  onStrays: (subscriptionIds: readonly string[]) => Promise<void>
  signal: AbortSignal
}

/** Brings deliveries that wait in Postgres to their lanes: retries, parked ones, and those of processes that died. */
export interface Scanner {
  /** Notes that a delivery waits: the scanner wakes when it is due. */
  note(pair: Omit<Pair, 'dueAt' | 'notedAt'> & { waitMs: number }): void
  /** Something changed in Postgres that it cannot know of: it looks at once. */
  survey(): void
  /** An endpoint has room again. */
  roomAt(endpointId: bigint): void
  /** Settles when `signal` has aborted. */
  run(): Promise<void>
}

export function createScanner(options: ScannerOptions): Scanner {
  const { pool, lanes, clock, leaseMs, log, metrics, signal } = options
  const pairs: Pairs = new Map()
  let backlog = new Set<bigint>()
  let surveyAt = 0
  const takeover = createTakeover(leaseMs)
  const alarm = createAlarm(surveyEveryMs)

  async function survey(): Promise<void> {
    const startedAt = performance.now()
    const oldest = oldestOpenId(clock.now())
    const freed = await takeover.check(pool, oldest, startedAt)
    if (freed > 0) {
      metrics.orphans.inc(freed)
      log.info({ freed }, 'took over deliveries of a copy that is gone')
    }
    const askedAt = performance.now()
    const found = await surveyWaiting(pool, oldest)
    applySurvey(
      pairs,
      found.filter((pair) => !pair.ended),
      askedAt,
    )
    for (const pair of found) if (pair.throttledMs > 0) lanes.quieten(pair.endpointId, pair.throttledMs)
    const strays = found.filter((pair) => pair.ended).map((pair) => pair.subscriptionId)
    if (strays.length > 0) await options.onStrays([...new Set(strays)])
    // It takes no more than a twentieth of the time, however many wait.
    const now = performance.now()
    surveyAt = now + Math.max(surveyEveryMs, 20 * (now - startedAt)) * (0.9 + Math.random() * 0.2)
  }

  /** One claim for all endpoints that have work and room. Returns when to look again. */
  async function claim(): Promise<number> {
    const now = performance.now()
    const plan = planClaims(pairs, now, largestClaim, {
      room: (id) => lanes.room(id, 'scanner'),
      worthwhile: (id) => lanes.worthwhile(id),
      quietUntil: (id) => lanes.quietUntil(id),
    })
    setBacklog(plan.backlog)
    if (plan.quotas.length === 0) return plan.nextAt
    const claimed = await claimDue(pool, plan.quotas, {
      claimId: options.newClaimId(),
      leaseMs,
      oldestId: oldestOpenId(clock.now()),
    })
    clock.set(claimed.now, now)
    applyClaim(pairs, plan.quotas, claimed.pairs, now)
    lanes.accept(claimed.deliveries, 'scanner')
    return 0
  }

  function setBacklog(next: Set<bigint>): void {
    for (const id of backlog) if (!next.has(id)) lanes.setBacklog(id, false)
    for (const id of next) if (!backlog.has(id)) lanes.setBacklog(id, true)
    backlog = next
  }

  metrics.waitingPairs.by(() => pairs.size)
  metrics.lateSeconds.by(() => {
    const now = performance.now()
    const sendable = [...pairs.values()].filter((pair) => isSendable(pair) && lanes.quietUntil(pair.endpointId) <= now)
    return sendable.reduce((longest, pair) => Math.max(longest, now - pair.dueAt), 0) / 1000
  })

  return {
    note({ waitMs, ...pair }) {
      const now = performance.now()
      note(pairs, { ...pair, dueAt: now + waitMs, notedAt: now })
      alarm.wake()
    },
    survey() {
      surveyAt = 0
      alarm.wake()
    },
    roomAt(endpointId) {
      if (backlog.has(endpointId) && lanes.room(endpointId, 'scanner') >= lanes.worthwhile(endpointId)) alarm.wake()
    },
    async run() {
      signal.addEventListener('abort', alarm.wake, { once: true })
      while (!signal.aborted) {
        try {
          if (performance.now() >= surveyAt) await survey()
          const nextAt = await claim()
          await alarm.sleepUntil(Math.min(nextAt, surveyAt))
        } catch (error) {
          if (signal.aborted) return
          if (isUnavailable(error)) log.debug({ err: error }, 'Postgres is away; nothing can be claimed')
          else log.error({ err: error }, 'the scanner failed; trying again')
          await wait(500, undefined, { signal }).catch(() => {})
        }
      }
    },
  }
}
