import { expect, test } from 'vitest'
import { newBucket } from './bucket.ts'

test('a burst of one second’s tokens passes, then as many as have come back', () => {
  const { take } = newBucket()
  const taken = (count: number, at: number) => Array.from({ length: count }, () => take(10, at)).filter(Boolean).length
  expect(taken(20, 50_000)).toBe(10)
  expect(taken(20, 50_300)).toBe(3)
  expect(taken(20, 50_350)).toBe(0)
  expect(taken(20, 60_000)).toBe(10)
})
