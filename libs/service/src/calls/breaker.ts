// Our own rather than a library's: callers must fail at once while a single probe is out (others queue them behind it,
// for as long as whoever hangs lets them), and must be told when to come back.

export interface BreakerSettings {
  /** Failed calls in a row that open it. */
  failures: number
  /** How long it stays open before one call may probe, in milliseconds. */
  openMs: number
}

export interface Breaker {
  /** Milliseconds to wait before calling; 0 lets the call through (as the probe, where it was open): report how it went. */
  admit(): number
  /** It answered, whatever it said. */
  answered(): void
  /** It could not be reached or did not answer. */
  failed(): void
  readonly state: 'closed' | 'open' | 'probing'
}

export const breakerDefaults: BreakerSettings = { failures: 5, openMs: 5_000 }

/** Makes a closed breaker; `now` is a monotonic clock in milliseconds. */
export function createBreaker(settings: BreakerSettings, now: () => number): Breaker {
  let failuresInRow = 0
  let openUntil: number | undefined
  let probing = false

  return {
    admit() {
      if (openUntil === undefined) return 0
      const wait = openUntil - now()
      if (wait > 0) return wait
      if (probing) return settings.openMs
      probing = true
      return 0
    },
    answered() {
      failuresInRow = 0
      openUntil = undefined
      probing = false
    },
    failed() {
      failuresInRow += 1
      // Calls that were under way when it opened fail later: they must not hold it open.
      if (probing || (openUntil === undefined && failuresInRow >= settings.failures))
        openUntil = now() + settings.openMs
      probing = false
    },
    get state() {
      if (openUntil === undefined) return 'closed'
      return probing ? 'probing' : 'open'
    },
  }
}
