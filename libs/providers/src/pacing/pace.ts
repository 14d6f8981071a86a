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

/** So many more urgent calls go before one that waits. Under a load that lasts it would otherwise never go: what is paid must be read. */
const mostOvertaking = 3

/**
 * Opens a pace. Until it hears of the others it counts on one other replica, so that a process that starts takes nothing
 * from those that run.
 */
export function openPace({ callsPerSecond, now = () => performance.now() }: PaceSettings): Pace {
  let budget = newBudget(callsPerSecond / 2, now())
  let ownUntil = -Infinity
  let onSlowed = () => {}
  const queues: Record<Priority, Waiting[]> = { orders: [], reads: [], checks: [] }
  /** How many more urgent calls have gone before the first of each queue. */
  const overtaken: Record<Priority, number> = { orders: 0, reads: 0, checks: 0 }
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
    for (;;) {
      const waiting = priorities.filter((priority) => queues[priority].length > 0)
      const passedOver = waiting.find(isPassedOver)
      const priority = passedOver ?? waiting[0]
      if (priority === undefined) return
      // A less urgent call does not overtake: what it would take, the ones before it wait for.
      const waitMs = waitFor(budget, passedOver === undefined ? priority : 'orders', at)
      if (waitMs > 0) return waitUntil(waitMs, at)
      queues[priority].shift()?.go()
      pass(priority, at)
    }
  }

  const isPassedOver = (priority: Priority): boolean =>
    queues[priority].length > 0 && overtaken[priority] >= mostOvertaking

  /** Notes that a call of that priority goes. */
  function pass(gone: Priority, at: number): void {
    budget = spent(budget, at)
    overtaken[gone] = 0
    for (const priority of priorities.slice(priorities.indexOf(gone) + 1)) {
      overtaken[priority] = queues[priority].length === 0 ? 0 : overtaken[priority] + 1
    }
  }

  function waitUntil(waitMs: number, at: number): void {
    const nextMs = Math.min(waitMs, ...all().map(({ until }) => until - at))
    timer = setTimeout(admit, Math.max(1, nextMs))
  }

  return {
    turn(priority, maxWaitMs) {
      const at = now()
      const before = priorities.slice(0, priorities.indexOf(priority) + 1).flatMap((each) => queues[each]).length
      const ahead = Math.min(before, (queues[priority].length + 1) * (mostOvertaking + 1))
      const waitMs = waitFor(budget, priority, at) + (ahead === 0 ? 0 : (ahead / perSecond(budget, at)) * 1_000)
      if (waitMs === 0 && !priorities.some(isPassedOver)) {
        pass(priority, at)
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
    roomForChecks() {
      if (budget.pausedUntil > now()) return 0
      const own = Math.ceil(perSecond(budget, now()) / (mostOvertaking + 1)) - queues.checks.length
      return Math.max(0, own, roomFor(budget, 'checks', now()) - all().length)
    },
    ownSlowedMs: () => Math.max(0, ownUntil - now()),
    slowedMs: () => Math.max(0, budget.pausedUntil - now()),
    waiting: (priority) => queues[priority].length,
    perSecond: () => perSecond(budget, now()),
  }
}

function tooBusy(waitMs: number): ProviderUnavailable {
  return new ProviderUnavailable('more calls wait than the provider lets us make', waitMs)
}
