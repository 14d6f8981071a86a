/** What the API was called, of late. */
export interface CallCounts {
  calls: number
  /** the most calls in any second, wherever it begins */
  mostInASecond: number
  /** calls in each second, the oldest first */
  perSecond: number[]
}

/** Counts the calls of the API, refused ones too. */
export interface Calls {
  note: () => void
  /** Returns the calls of the last so many seconds. It knows the newest 100,000 calls since the process started. */
  of: (seconds: number) => CallCounts
}

const kept = 100_000

/** @param now milliseconds of a monotonic clock */
export function openCalls(now: () => number = () => performance.now()): Calls {
  const ring = new Float64Array(kept)
  let all = 0
  const time = (index: number): number => ring[index % kept] ?? 0
  return {
    note: () => void (ring[all++ % kept] = now()),
    of(seconds) {
      const end = now()
      const start = end - seconds * 1_000
      let first = Math.max(0, all - kept)
      while (first < all && time(first) < start) first++
      const perSecond = Array<number>(seconds).fill(0)
      let mostInASecond = 0
      for (let index = first, from = first; index < all; index++) {
        const at = time(index)
        while (at - time(from) >= 1_000) from++
        mostInASecond = Math.max(mostInASecond, index - from + 1)
        const second = Math.min(seconds - 1, Math.floor((at - start) / 1_000))
        perSecond[second] = (perSecond[second] ?? 0) + 1
      }
      return { calls: all - first, mostInASecond, perSecond }
    },
  }
}
