import { expect, test } from 'vitest'
import { openCalls } from './calls.ts'

test('calls are counted by the second, and in the fullest second wherever it begins', () => {
  let now = 50_000
  const calls = openCalls(() => now)
  const callAt = (...times: number[]) => {
    for (const time of times) {
      now = time
      calls.note()
    }
  }
  callAt(51_000, 56_200, 57_800, 57_900, 58_100, 58_200, 58_800)
  now = 60_000
  expect(calls.of(4)).toEqual({ calls: 6, mostInASecond: 4, perSecond: [1, 2, 3, 0] })
  expect(calls.of(1)).toEqual({ calls: 0, mostInASecond: 0, perSecond: [0] })
  expect(calls.of(30).calls).toBe(7)
})
