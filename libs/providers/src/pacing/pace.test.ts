import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ProviderUnavailable } from '../errors.ts'
import type { Priority } from './budget.ts'
import { openPace, type Pace } from './pace.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** A pace of 20 calls a second, whose only replica this is. */
function openAlone(callsPerSecond = 20): Pace {
  const pace = openPace({ callsPerSecond })
  pace.hear({ replicas: 1, slowedMs: 0 })
  vi.advanceTimersByTime(1_000)
  return pace
}

/** Asks for turns, and notes in order who got one. */
function asking(pace: Pace) {
  const gone: string[] = []
  const refused: ProviderUnavailable[] = []
  return {
    gone,
    refused,
    ask(priority: Priority, name: string, maxWaitMs = 4_000): void {
      pace.turn(priority, maxWaitMs).then(
        () => gone.push(name),
        (error: ProviderUnavailable) => refused.push(error),
      )
    },
  }
}

test('orders go before reads, and reads before checks, but no more than three before one that waits', async () => {
  const pace = openAlone()
  const { ask, gone } = asking(pace)
  for (let index = 0; index < 6; index++) ask('checks', 'check')
  for (let index = 0; index < 4; index++) ask('reads', 'read')
  for (let index = 0; index < 7; index++) ask('orders', 'order')
  await vi.advanceTimersByTimeAsync(3_000)
  const round = ['order', 'order', 'order', 'read', 'check']
  expect(gone).toEqual(['check', ...round, ...round, 'order', 'read', 'read', 'check', 'check', 'check'])
})

test('under a load of orders that lasts, reads and checks get their turns, and the sweep finds room', async () => {
  const pace = openAlone()
  const { ask, gone } = asking(pace)
  for (let second = 0; second < 20; second++) {
    for (let index = 0; index < 40; index++) ask('orders', 'order', 4_000)
    for (let index = 0; index < 40; index++) ask('reads', 'read', 4_000)
    expect(pace.roomForChecks()).toBeGreaterThan(0)
    for (let index = pace.roomForChecks(); index > 0; index--) ask('checks', 'check', 4_000)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  const share = (name: string) => gone.filter((each) => each === name).length / gone.length
  expect(share('order')).toBeGreaterThan(0.55)
  expect(share('read')).toBeGreaterThan(0.15)
  expect(share('check')).toBeGreaterThan(0.15)
})

test('a call that cannot go in time is refused at once, with the time to wait', async () => {
  const pace = openAlone()
  const { ask, gone, refused } = asking(pace)
  for (let index = 0; index < 100; index++) ask('orders', 'order', 2_000)
  await vi.advanceTimersByTimeAsync(0)
  // Two at once, and 18 a second.
  expect(refused.length).toBeGreaterThan(60)
  expect(refused.at(-1)).toBeInstanceOf(ProviderUnavailable)
  expect(refused.at(-1)?.retryAfterMs).toBeGreaterThan(2_000)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(gone.length + refused.length).toBe(100)
  expect(gone.length).toBeGreaterThan(33)
})

test('when the provider has us wait, nobody goes before that, and those who cannot wait so long are sent away', async () => {
  const told = vi.fn()
  const pace = openAlone()
  pace.onSlowed(told)
  const { ask, gone, refused } = asking(pace)
  pace.slowDown(3_000)
  expect(told).toHaveBeenCalledTimes(1)
  ask('orders', 'order')
  ask('checks', 'check')
  ask('orders', 'hasty', 1_000)
  await vi.advanceTimersByTimeAsync(2_900)
  expect(gone).toEqual([])
  expect(refused.map(({ retryAfterMs }) => Math.floor(retryAfterMs / 1_000))).toEqual([3])
  expect(pace.roomForChecks()).toBe(0)
  await vi.advanceTimersByTimeAsync(300)
  expect(gone).toEqual(['order', 'check'])
})

test('a wait that another replica was told holds calls here, and is not told on', async () => {
  const pace = openAlone()
  pace.hear({ replicas: 2, slowedMs: 2_000 })
  const { ask, gone } = asking(pace)
  ask('orders', 'order')
  expect(pace.slowedMs()).toBe(2_000)
  expect(pace.ownSlowedMs()).toBe(0)
  await vi.advanceTimersByTimeAsync(1_900)
  expect(gone).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(gone).toEqual(['order'])
})

test('a check whose time is over is refused while more urgent calls are still waiting', async () => {
  const pace = openAlone(2)
  const { ask, refused } = asking(pace)
  ask('orders', 'first')
  ask('checks', 'check', 1_500)
  for (let index = 0; index < 4; index++) ask('orders', 'order', 10_000)
  await vi.advanceTimersByTimeAsync(1_600)
  expect(refused).toHaveLength(1)
  expect(pace.waiting('checks')).toBe(0)
})

test('two replicas have half of the calls each; a process that has heard of nobody takes no more than that', async () => {
  for (const replicas of [undefined, 2]) {
    const pace = openPace({ callsPerSecond: 40 })
    if (replicas !== undefined) pace.hear({ replicas, slowedMs: 0 })
    const { ask, gone } = asking(pace)
    for (let index = 0; index < 200; index++) ask('checks', 'check', 60_000)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(gone.length).toBeGreaterThanOrEqual(85)
    expect(gone.length).toBeLessThanOrEqual(100)
  }
})

test('calls that nobody limits go at once', async () => {
  const pace = openPace({ callsPerSecond: Infinity })
  const { ask, gone } = asking(pace)
  for (let index = 0; index < 500; index++) ask('checks', 'check', 0)
  await vi.advanceTimersByTimeAsync(0)
  expect(gone).toHaveLength(500)
})
