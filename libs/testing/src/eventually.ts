import { setTimeout as delay } from 'node:timers/promises'

/**
 * Tries again until it no longer throws: for what happens some time after its cause.
 *
 * @param attempt throws (a failed expectation, for instance) while it is too early
 * @param options.within milliseconds after which the last failure is thrown; default 5 s
 * @returns what the attempt returned
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
