// A share of a provider's rate limit, as a token bucket. It is pure: times are milliseconds of one monotonic clock.

/** Which calls go first: what a client waits for or what moves money, then reads of clients, then our own checks. */
export const priorities = ['orders', 'reads', 'checks'] as const
export type Priority = (typeof priorities)[number]

export interface Budget {
  /** Calls a second that this process may make; Infinity if nobody limits it. */
  readonly rate: number
  /** The calls that could go at `at` without waiting. */
  readonly tokens: number
  readonly at: number
  /** No call goes before this: the provider has told us to wait. Always set, and long past if it never has. */
  readonly pausedUntil: number
}

/** After a pause the speed is half, and comes back to the whole within this time: what it was is more than was allowed. */
const recoveryMs = 30_000

/** Returns a budget with a full bucket. */
export function newBudget(rate: number, now: number): Budget {
  return { rate, tokens: burst(rate), at: now, pausedUntil: -Infinity }
}

/** Returns the budget with another rate, as when a replica came or went. */
export function atRate(budget: Budget, rate: number, now: number): Budget {
  const { tokens } = filled(budget, now)
  return { ...budget, rate, tokens: Math.min(tokens, burst(rate)), at: now }
}

/** Returns the budget after the provider has told us to wait. It never shortens a pause. */
export function paused(budget: Budget, waitMs: number, now: number): Budget {
  return { ...filled(budget, now), pausedUntil: Math.max(budget.pausedUntil, now + waitMs) }
}

/** Returns in how many milliseconds a call of that priority may go, if no other one goes before it; 0 means now. */
export function waitFor(budget: Budget, priority: Priority, now: number): number {
  const { tokens, rate } = filled(budget, now)
  const missing = needed(rate, priority) - tokens
  // In whole milliseconds, since a timer that fires a fraction too early would only wait again.
  const untilFilled = missing <= 0 ? 0 : Math.ceil((missing / perSecond(budget, now)) * 1_000)
  return Math.max(0, Math.ceil(budget.pausedUntil - now), untilFilled)
}

/** Returns the budget after a call has gone. */
export function spent(budget: Budget, now: number): Budget {
  const after = filled(budget, now)
  return { ...after, tokens: after.tokens - 1 }
}

/** Returns about how many calls of that priority may go within the next second; none while the provider has us wait. */
export function roomFor(budget: Budget, priority: Priority, now: number): number {
  if (budget.pausedUntil > now) return 0
  if (budget.rate === Infinity) return Infinity
  const { tokens, rate } = filled(budget, now)
  return Math.max(0, Math.floor(tokens - needed(rate, priority) + 1 + perSecond(budget, now)))
}

/**
 * Returns how many calls a second the bucket lets through in the long run. With its burst it stays a twentieth below the
 * rate: calls bunch up on their way.
 */
export function perSecond({ rate, pausedUntil }: Budget, now: number): number {
  if (rate === Infinity) return Infinity
  const speed = Math.min(1, Math.max(0.5, 0.5 + (now - pausedUntil) / (2 * recoveryMs)))
  return speed * Math.max(rate - 1.5 * burst(rate), rate / 2)
}

/** A tenth of a second's calls may go at once, at least one. */
function burst(rate: number): number {
  return Math.max(1, rate / 10)
}

/**
 * The tokens that must be there for a call. The bucket is not emptied for checks, nor quite for reads: an order finds a
 * token however many of them wait.
 */
function needed(rate: number, priority: Priority): number {
  const spare = rate === Infinity ? 0 : burst(rate) - 1
  if (priority === 'orders') return 1
  return 1 + spare * (priority === 'reads' ? 0.25 : 0.5)
}

function filled(budget: Budget, now: number): Budget {
  const { rate, tokens, at } = budget
  if (rate === Infinity) return { ...budget, tokens: Infinity, at: now }
  const more = (Math.max(0, now - at) / 1_000) * perSecond(budget, now)
  return { ...budget, tokens: Math.min(burst(rate), tokens + more), at: now }
}
