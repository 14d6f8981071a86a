/** Remembers which signed requests this process has served, for as long as their signatures are valid. */
export interface ServedRequests {
  /** Whether a request is here for the first time. `created` is when it was signed, `now` the time; both in seconds since 1970. */
  isNew(nonce: string, created: number, now: number): boolean
}

/** @param validSeconds how long after its `created` a signature is accepted */
export function rememberServed(validSeconds: number): ServedRequests {
  // By when they were signed and not by when they came: one from a clock that is ahead is valid for longer.
  const bySpan = new Map<number, Set<string>>()
  const spanOf = (seconds: number) => Math.floor(seconds / validSeconds)

  return {
    isNew(nonce, created, now) {
      const span = spanOf(created)
      let served = bySpan.get(span)
      if (served === undefined) {
        for (const old of bySpan.keys()) if (old < spanOf(now) - 1) bySpan.delete(old)
        served = new Set()
        bySpan.set(span, served)
      }
      if (served.has(nonce)) return false
      served.add(nonce)
      return true
    },
  }
}
