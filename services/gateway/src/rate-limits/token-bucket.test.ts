import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTokenBuckets } from './token-bucket.ts'

const quota = { requests: 4, windowSeconds: 2 }

test('a bucket allows its quota at once, then one request for each that is refilled', () => {
  const buckets = createTokenBuckets()
  const remaining = [0, 0, 0, 0].map((now) => buckets.take('a', quota, now).remaining)
  expect(remaining).toEqual([3, 2, 1, 0])
  expect(buckets.take('a', quota, 0)).toEqual({ allowed: false, remaining: 0, secondsToReset: 1 })
  expect(buckets.take('a', quota, 499).allowed).toBe(false)
  expect(buckets.take('a', quota, 500).allowed).toBe(true)
  expect(buckets.take('a', quota, 500).allowed).toBe(false)
})

test('a refused request takes nothing from the quota, and one that is given back is there again', () => {
  const buckets = createTokenBuckets()
  for (let count = 0; count < 4; count++) buckets.take('a', quota, 0)
  for (let count = 0; count < 100; count++) buckets.take('a', quota, 100)
  expect(buckets.take('a', quota, 500).allowed).toBe(true)
  expect(buckets.take('a', quota, 500).allowed).toBe(false)
  buckets.giveBack('a', quota)
  expect(buckets.take('a', quota, 500).allowed).toBe(true)
  for (let count = 0; count < 9; count++) buckets.giveBack('a', quota)
  expect(buckets.take('a', quota, 500).remaining).toBe(3)
})

test('keys do not share a quota', () => {
  const buckets = createTokenBuckets()
  for (let count = 0; count < 5; count++) buckets.take('a', quota, 0)
  expect(buckets.take('b', quota, 0).allowed).toBe(true)
})

test('the time to reset ends when the quota is full again', () => {
  const buckets = createTokenBuckets()
  expect(buckets.take('a', { requests: 10, windowSeconds: 60 }, 0).secondsToReset).toBe(6)
  expect(buckets.take('a', { requests: 10, windowSeconds: 60 }, 0).secondsToReset).toBe(12)
})

test('a bucket never allows more than the quota and what was refilled', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 200 }), (pauses) => {
      const buckets = createTokenBuckets()
      let now = 0
      let allowed = 0
      for (const pause of pauses) {
        now += pause
        if (buckets.take('a', quota, now).allowed) allowed += 1
      }
      expect(allowed).toBeLessThanOrEqual(quota.requests + (now / 2_000) * quota.requests + 1e-6)
    }),
  )
})

test('a flood of keys does not grow the memory, and evicts idle keys first', () => {
  const buckets = createTokenBuckets(100)
  for (let count = 0; count < 4; count++) buckets.take('busy', quota, 10_000)
  for (let count = 0; count < 99; count++) buckets.take(`idle ${count}`, quota, 0)
  buckets.take('new', quota, 10_000)
  expect(buckets.take('busy', quota, 10_000).allowed).toBe(false)
})
