import { setTimeout as wait } from 'node:timers/promises'

/**
 * Polls until a condition holds.
 *
 * @param what the condition, for the error
 * @param within milliseconds after which it throws
 */
export async function until(
  what: string,
  holds: () => Promise<boolean>,
  { within, every = 20 }: { within: number; every?: number },
): Promise<void> {
  const deadline = performance.now() + within
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not so after ${within / 1_000} s: ${what}`)
    await wait(every)
  }
}

/** Calls `run` once a round, one after the other. */
export async function rounds<Value>(count: number, run: (round: number) => Promise<Value>): Promise<Value[]> {
  const values: Value[] = []
  for (let round = 1; round <= count; round++) values.push(await run(round))
  return values
}
