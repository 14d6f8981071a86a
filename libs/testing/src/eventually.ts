import { setTimeout as delay } from 'node:timers/promises'

/**
 * Repeats `attempt` until it does not throw, and returns its result. For effects that follow their cause after some time.
 *
 * @param options.within milliseconds, after which the last failure is thrown; default 5000
 * @param options.every milliseconds between attempts; default 20
 */
export async function eventually<Result>(
  attempt: () => Result | Promise<Result>,
  { within = 5_000, every = 20 }: { within?: number; every?: number } = {},
): Promise<Result> {
  const deadline = performance.now() + within
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() + every > deadline) throw error
      await delay(every)
    }
  }
}
