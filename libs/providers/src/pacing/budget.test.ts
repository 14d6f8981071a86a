import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { atRate, newBudget, paused, priorities, roomFor, spent, waitFor, type Budget, type Priority } from './budget.ts'

/** Makes calls as fast as the budget lets them through, each after its own pause; returns when they went. */
function play(
  rate: number,
  calls: readonly { priority: Priority; afterMs: number }[],
  start: Budget = newBudget(rate, 0),
) {
  let budget = start
  let now = budget.at
  return calls.map(({ priority, afterMs }) => {
    now += afterMs
    now += waitFor(budget, priority, now)
    budget = spent(budget, now)
    return now
  })
}

const someCalls = fc.array(
  fc.record({
    priority: fc.constantFrom(...priorities),
    afterMs: fc.oneof(fc.constant(0), fc.integer({ max: 500, min: 0 })),
  }),
  { minLength: 1, maxLength: 400 },
)

/** The most calls within any second. */
function busiestSecond(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + 1_000).length))
}

test('whatever is called, no second sees more calls than the rate', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 120 }), someCalls, (rate, calls) => {
      expect(busiestSecond(play(rate, calls))).toBeLessThanOrEqual(rate)
    }),
  )
})

test('calls that keep coming get five sixths of the rate at least', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 100 }), fc.constantFrom(...priorities), (rate, priority) => {
      const times = play(
        rate,
        Array.from({ length: rate * 10 }, () => ({ priority, afterMs: 0 })),
      )
      expect(times.at(-1)).toBeLessThan(12_000)
    }),
  )
})

test('an order finds a token at once while checks take all that they may', () => {
  const checks = Array.from({ length: 100 }, () => ({ priority: 'checks' as const, afterMs: 0 }))
  let budget = newBudget(40, 0)
  let now = 0
  for (const { priority } of checks) {
    now += waitFor(budget, priority, now)
    budget = spent(budget, now)
    expect(waitFor(budget, 'orders', now)).toBe(0)
  }
})

describe('a pause', () => {
  test('holds every call until it is over, and a shorter one does not shorten it', () => {
    let budget = paused(newBudget(40, 0), 5_000, 0)
    budget = paused(budget, 1_000, 100)
    for (const priority of priorities) expect(waitFor(budget, priority, 100)).toBe(4_900)
    expect(roomFor(budget, 'checks', 100)).toBe(0)
    for (const priority of priorities) expect(waitFor(budget, priority, 5_000)).toBe(0)
  })

  test('is followed by half the speed, and half a minute later by the whole', () => {
    const calls = Array.from({ length: 200 }, () => ({ priority: 'orders' as const, afterMs: 0 }))
    const took = (from: number) => {
      const slow = { ...paused(newBudget(100, 0), 1_000, 0), at: from }
      const times = play(100, calls, slow)
      return (times.at(-1) ?? 0) - (times[0] ?? 0)
    }
    expect(took(1_000)).toBeGreaterThan(3_500)
    expect(took(31_000)).toBeLessThan(2_300)
  })

  test('holds calls that nobody limits too', () => {
    const budget = paused(newBudget(Infinity, 0), 1_000, 0)
    expect(waitFor(budget, 'orders', 0)).toBe(1_000)
    expect(roomFor(budget, 'checks', 0)).toBe(0)
    expect(waitFor(spent(budget, 1_000), 'checks', 1_000)).toBe(0)
    expect(roomFor(budget, 'checks', 1_000)).toBe(Infinity)
  })
})

test('a budget that gets smaller has no more left than the smaller one could have saved', () => {
  const budget = atRate(newBudget(100, 0), 20, 0)
  expect(budget.tokens).toBe(2)
  expect(
    busiestSecond(
      play(
        20,
        Array.from({ length: 100 }, () => ({ priority: 'orders', afterMs: 0 })),
        budget,
      ),
    ),
  ).toBeLessThanOrEqual(20)
})

test('there is room for about as many checks as a second lets through', () => {
  expect(roomFor(newBudget(20, 0), 'checks', 0)).toBe(18)
  const empty = spent(spent(newBudget(20, 0), 0), 0)
  expect(roomFor(empty, 'checks', 0)).toBe(16)
})
