/** A token bucket that holds the tokens of one second. */
export interface Bucket {
  /** Takes a token. Returns false if there is none. */
  take: (perSecond: number, nowMs: number) => boolean
}

/** Returns a full bucket. */
export function newBucket(): Bucket {
  let missing = 0
  let last = 0
  return {
    take(perSecond, nowMs) {
      missing = Math.max(0, missing - ((nowMs - last) * perSecond) / 1_000)
      last = nowMs
      if (missing + 1 > perSecond) return false
      missing += 1
      return true
    },
  }
}
