import { expect, test } from 'vitest'
import { openPace } from './pace.ts'
import { roomForChecks } from './room.ts'

const pace = (callsPerSecond: number) => {
  const opened = openPace({ callsPerSecond, now: () => 0 })
  opened.hear({ replicas: 1, slowedMs: 0 })
  return opened
}

test('no more checks start than the slowest provider with room lets through, and none at one that has us wait', () => {
  const [slow, unlimited, waiting] = [pace(8), pace(Infinity), pace(Infinity)]
  waiting.slowDown(10_000)
  const slowRoom = slow.roomForChecks()
  expect(slowRoom).toBeGreaterThan(0)
  expect(slowRoom).toBeLessThan(100)
  expect(roomForChecks(new Map([['Stripe', unlimited]]), 100)).toEqual({ room: 100, full: [] })
  expect(
    roomForChecks(
      new Map([
        ['Stripe', slow],
        ['Sandbox', unlimited],
      ]),
      100,
    ),
  ).toEqual({ room: slowRoom, full: [] })
  expect(
    roomForChecks(
      new Map([
        ['Stripe', unlimited],
        ['Sandbox', waiting],
      ]),
      100,
    ),
  ).toEqual({
    room: 100,
    full: ['Sandbox'],
  })
  expect(roomForChecks(new Map(), 8)).toEqual({ room: 8, full: [] })
})
