/** Allows `requests` at once, refilled evenly over `windowSeconds`. */
export interface Quota {
  requests: number
  windowSeconds: number
}

/** The rest of a quota. */
export interface QuotaState {
  allowed: boolean
  /** Requests that would be allowed now. */
  remaining: number
  /** Whole seconds until the quota is full again or, if it is used up, until the next request is allowed. */
  secondsToReset: number
}

/** Token buckets by key, in the memory of one replica. */
export interface TokenBuckets {
  /** Takes one from the bucket of `key` if there is one. `now`: milliseconds of a monotonic clock. */
  take(key: string, quota: Quota, now: number): QuotaState
  /** Gives back one that was taken. */
  giveBack(key: string, quota: Quota): void
}

interface Bucket {
  tokens: number
  at: number
  fullAt: number
}

/**
 * Makes a set of buckets for at most `most` keys. To make room, it deletes full buckets, which are the same as absent ones,
 * and then the oldest.
 */
export function createTokenBuckets(most = 50_000): TokenBuckets {
  const buckets = new Map<string, Bucket>()

  function take(key: string, quota: Quota, now: number): QuotaState {
    const perMs = quota.requests / (quota.windowSeconds * 1000)
    let bucket = buckets.get(key)
    if (bucket === undefined) {
      bucket = { tokens: quota.requests, at: now, fullAt: now }
      if (buckets.size >= most) makeRoom(now)
      buckets.set(key, bucket)
    }
    bucket.tokens = Math.min(quota.requests, bucket.tokens + (now - bucket.at) * perMs)
    bucket.at = now
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= 1
    const missing = quota.requests - bucket.tokens
    bucket.fullAt = now + missing / perMs
    const wait = allowed ? missing / perMs : (1 - bucket.tokens) / perMs
    return { allowed, remaining: Math.floor(bucket.tokens), secondsToReset: Math.ceil(wait / 1000) }
  }

  function makeRoom(now: number): void {
    for (const [key, bucket] of buckets) if (bucket.fullAt <= now) buckets.delete(key)
    // A tenth at once, so that a flood of keys does not search all buckets for each.
    for (const key of buckets.keys()) {
      if (buckets.size < most * 0.9) return
      buckets.delete(key)
    }
  }

  return {
    take,
    giveBack(key, quota) {
      const bucket = buckets.get(key)
      if (bucket !== undefined) bucket.tokens = Math.min(quota.requests, bucket.tokens + 1)
    },
  }
}
