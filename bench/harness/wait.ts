import { setTimeout as wait } from 'node:timers/promises'

/**
 * Waits until something is so, looking every so often.
 *
 * @param within milliseconds
 * @throws with the name of what did not come about
 */
export async function until(
  what: string,
  isSo: () => Promise<boolean>,
  { within, every = 20 }: { within: number; every?: number },
): Promise<void> {
  const deadline = performance.now() + within
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not so after ${within / 1_000} s: ${what}`)
    await wait(every)
  }
}

/** Runs something in rounds, one after the other. */
export async function rounds<Value>(count: number, run: (round: number) => Promise<Value>): Promise<Value[]> {
  const values: Value[] = []
  for (let round = 1; round <= count; round++) values.push(await run(round))
  return values
}
