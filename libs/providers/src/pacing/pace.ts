import { ProviderUnavailable } from '../errors.ts'
import {
  atRate,
  newBudget,
  paused,
  perSecond,
  priorities,
  roomFor,
  spent,
  waitFor,
  type Budget,
  type Priority,
} from './budget.ts'

/** Lets the calls of this process to one provider through, no faster than its share of the provider's rate limit. */
export interface Pace {
  /**
   * Resolves when a call of that priority may go. Throws ProviderUnavailable, with the time to wait, as soon as it is clear
   * that it may not go within `maxWaitMs`.
   */
  turn(priority: Priority, maxWaitMs: number): Promise<void>
  /** Holds all calls: the provider has answered that we are too fast. */
  slowDown(waitMs: number): void
  /** Sets who is told of each `slowDown`: the other replicas should hear of it soon. */
  onSlowed(listener: () => void): void
  /** Takes in what the other replicas tell: how many live, and how long the provider still has one of them wait. */
  hear(others: { replicas: number; slowedMs: number }): void
  /** Returns about how many more checks may go within the next second. Whoever starts checks starts no more. */
  roomForChecks(): number
  /** For how many milliseconds the provider still has this process wait. It does not tell what others have told us. */
  ownSlowedMs(): number
  /** For how many milliseconds all calls are held. */
  slowedMs(): number
  waiting(priority: Priority): number
  /** How many calls a second go at present, in the long run; Infinity if nobody limits them. */
  perSecond(): number
}

interface Waiting {
  until: number
  go(): void
  refuse(waitMs: number): void
}

export interface PaceSettings {
  /** Calls a second that all replicas of the service may make together; Infinity if nobody limits them. */
  callsPerSecond: number
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/**
 * Opens a pace. Until it hears of the others it counts on one other replica, so that a process that starts takes nothing
 * from those that run.
 */
export function openPace({ callsPerSecond, now = () => performance.now() }: PaceSettings): Pace {
  let budget = newBudget(callsPerSecond / 2, now())
  let ownUntil = -Infinity
  let onSlowed = () => {}
  const queues: Record<Priority, Waiting[]> = { orders: [], reads: [], checks: [] }
  const all = () => priorities.flatMap((priority) => queues[priority])
  let timer: NodeJS.Timeout | undefined

  function change(next: Budget): void {
    budget = next
    admit()
  }

  /** Lets go who may go, the most urgent first, and sends away who cannot go in time. */
  function admit(): void {
    clearTimeout(timer)
    const at = now()
    for (const priority of priorities) {
      const late = (each: Waiting) => each.until <= at || each.until < budget.pausedUntil
      for (const each of queues[priority].filter(late)) each.refuse(waitFor(budget, priority, at))
      queues[priority] = queues[priority].filter((each) => !late(each))
    }
    for (const priority of priorities) {
      const queue = queues[priority]
      while (queue.length > 0 && waitFor(budget, priority, at) === 0) {
        budget = spent(budget, at)
        queue.shift()?.go()
      }
      // A less urgent call does not overtake: what it would take, the ones before it wait for.
      if (queue.length > 0) return waitUntil(waitFor(budget, priority, at), at)
    }
  }

  function waitUntil(waitMs: number, at: number): void {
    const nextMs = Math.min(waitMs, ...all().map(({ until }) => until - at))
    timer = setTimeout(admit, Math.max(1, nextMs))
  }

  return {
    turn(priority, maxWaitMs) {
      const at = now()
      const ahead = priorities.slice(0, priorities.indexOf(priority) + 1).flatMap((each) => queues[each]).length
      const waitMs = waitFor(budget, priority, at) + (ahead === 0 ? 0 : (ahead / perSecond(budget, at)) * 1_000)
      if (waitMs === 0) {
        budget = spent(budget, at)
        return Promise.resolve()
      }
      if (waitMs > maxWaitMs) return Promise.reject(tooBusy(waitMs))
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      queues[priority].push({ until: at + maxWaitMs, go: resolve, refuse: (again) => reject(tooBusy(again)) })
      admit()
      return promise
    },
    slowDown(waitMs) {
      ownUntil = Math.max(ownUntil, now() + waitMs)
      change(paused(budget, waitMs, now()))
      onSlowed()
    },
    onSlowed: (listener) => void (onSlowed = listener),
    hear({ replicas, slowedMs }) {
      const shared = atRate(budget, callsPerSecond / Math.max(1, replicas), now())
      change(slowedMs > 0 ? paused(shared, slowedMs, now()) : shared)
    },
    roomForChecks: () => Math.max(0, roomFor(budget, 'checks', now()) - all().length),
    ownSlowedMs: () => Math.max(0, ownUntil - now()),
    slowedMs: () => Math.max(0, budget.pausedUntil - now()),
    waiting: (priority) => queues[priority].length,
    perSecond: () => perSecond(budget, now()),
  }
}

function tooBusy(waitMs: number): ProviderUnavailable {
  return new ProviderUnavailable('more calls wait than the provider lets us make', waitMs)
}
