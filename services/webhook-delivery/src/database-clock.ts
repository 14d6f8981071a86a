/**
 * Postgres's clock as this process knows it: a statement that brings work also returns the time, and the monotonic clock
 * counts on from there. The host's own wall clock decides nothing.
 */
export interface DatabaseClock {
  /** Epoch milliseconds. */
  now(): number
  /** Takes over the time that a statement returned; it was sent at `askedAt` (monotonic). */
  set(epochMs: number, askedAt: number): void
}

export function createDatabaseClock(): DatabaseClock {
  let offset = Date.now() - performance.now()
  let known = false
  return {
    now: () => performance.now() + offset,
    set(epochMs, askedAt) {
      // The statement began between question and answer; the earlier bound is never ahead of Postgres.
      const heard = epochMs - performance.now()
      const asked = epochMs - askedAt
      if (!known || offset < heard || offset > asked) offset = heard
      known = true
    },
  }
}
