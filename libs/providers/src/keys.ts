import { LRUCache } from 'lru-cache'

/** Which of its idempotency keys a request is sent under: `<key>`, then `<key>_2`, `<key>_3` and so on. */
export interface Keys {
  /** Returns the first key under which no failure is known to be saved. */
  current(idempotencyKey: string): string
  /** Notes that a failure is saved under `key`, one of the request's keys. Another call may have noted it before. */
  moveOn(idempotencyKey: string, key: string): void
}

/** Requests to remember. One that is forgotten finds its keys again, one attempt each. */
const most = 10_000

/**
 * Makes the memory of one process. It only saves attempts: whoever forgets, or another process, meets the same saved
 * failures in the same order, and so ends at the same key.
 */
export function createKeys(): Keys {
  const moves = new LRUCache<string, number>({ max: most })
  const current = (first: string) => {
    const number = 1 + (moves.get(first) ?? 0)
    return number === 1 ? first : `${first}_${number}`
  }
  return {
    current,
    moveOn(first, key) {
      if (current(first) === key) moves.set(first, 1 + (moves.get(first) ?? 0))
    },
  }
}
