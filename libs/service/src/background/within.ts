import { setTimeout as wait } from 'node:timers/promises'

/**
 * The result of `work` where it comes within so many milliseconds; undefined where it is late or fails. Late work goes
 * on unheard: it must bear that.
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
