// Not a library: while one call probes, other callers must fail at once and must be told when to come back. The libraries
// queue them behind the probe for as long as it takes.

export interface BreakerSettings {
  /** Failed calls in a row that open the breaker. */
  failures: number
  /** Milliseconds until an open breaker lets one call through as a probe. */
  openMs: number
}

export interface Breaker {
  /** Returns the milliseconds to wait before a call; 0 lets it through, and its outcome must be reported. */
  admit(): number
  /** Reports a call that got an answer, of any kind. */
  answered(): void
  /** Reports a call that got no answer. */
  failed(): void
  /** Reports a call that was not made after all: it tells nothing. */
  notMade(): void
  readonly state: 'closed' | 'open' | 'probing'
}

export const breakerDefaults: BreakerSettings = { failures: 5, openMs: 5_000 }

/** Makes a closed breaker. `now` returns milliseconds of a monotonic clock. */
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
      // Calls that started before the breaker opened may fail later: they must not keep it open.
      if (probing || (openUntil === undefined && failuresInRow >= settings.failures))
        openUntil = now() + settings.openMs
      probing = false
    },
    notMade: () => void (probing = false),
    get state() {
      if (openUntil === undefined) return 'closed'
      return probing ? 'probing' : 'open'
    },
  }
}
