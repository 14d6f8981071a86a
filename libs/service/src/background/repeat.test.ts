import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { stuckLoops } from './loops.ts'
import { repeat } from './repeat.ts'

/** Counts runs until the test ends; `outcomes` are the first results, an Error is thrown. */
function startRuns(options: { everyMs: number; retryMs?: number }, outcomes: (boolean | Error)[] = []) {
  const stop = new AbortController()
  const errors: unknown[] = []
  const work = vi.fn(async () => {
    const outcome = outcomes.shift()
    if (outcome instanceof Error) throw outcome
    return outcome
  })
  const repeating = repeat({ ...options, signal: stop.signal, onError: (error) => errors.push(error) }, work)
  return {
    work,
    errors,
    repeating,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await repeating.stopped
    },
  }
}

test('the first run starts at once, and the next one when it is woken', async () => {
  await using runs = startRuns({ everyMs: 60_000 })
  expect(runs.work).toHaveBeenCalledTimes(1)
  runs.repeating.wake()
  await vi.waitFor(() => expect(runs.work).toHaveBeenCalledTimes(2))
})

test('a run that returns true is followed by another without a pause', async () => {
  await using runs = startRuns({ everyMs: 60_000 }, [true, true, false])
  await vi.waitFor(() => expect(runs.work).toHaveBeenCalledTimes(3))
})

test('a run that throws is reported, and the next one comes after retryMs', async () => {
  await using runs = startRuns({ everyMs: 60_000, retryMs: 5 }, [new Error('away')])
  await vi.waitFor(() => expect(runs.work).toHaveBeenCalledTimes(2))
  expect(runs.errors).toEqual([new Error('away')])
})

test('no run starts after the signal aborted, and a pause ends at once', async () => {
  const runs = startRuns({ everyMs: 60_000 })
  await runs[Symbol.asyncDispose]()
  runs.repeating.wake()
  expect(runs.work).toHaveBeenCalledTimes(1)
})

test('work that waits for a late migration is not stuck, and begins when the migration is there', async () => {
  const stop = new AbortController()
  const migrated = Promise.withResolvers<void>()
  const work = vi.fn(async () => {})
  const onError = () => {}
  const options = { everyMs: 60_000, stuckAfterMs: 1, name: 'work after a migration', after: migrated.promise }
  const repeating = repeat({ ...options, signal: stop.signal, onError }, work)
  await setTimeout(20)
  expect(stuckLoops()).not.toContain('work after a migration')
  expect(work).not.toHaveBeenCalled()
  migrated.resolve()
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1))
  stop.abort()
  await repeating.stopped
})
