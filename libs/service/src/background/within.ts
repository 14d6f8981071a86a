import { setTimeout as wait } from 'node:timers/promises'

/**
 * Returns the result of `work`, or undefined if it fails or takes longer than so many milliseconds. Late work runs on; its
 * result and its error are ignored.
 */
export async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | undefined> {
  const timer = new AbortController()
  work.catch(() => {})
  try {
    return await Promise.race([work, wait(milliseconds, undefined, { signal: timer.signal })])
  } catch {
    return undefined
  } finally {
    timer.abort()
  }
}
