import { expect, test } from 'vitest'
import { parseTime } from './time.ts'

const now = new Date('2026-11-22T12:00:00Z')

test.each([
  ['2026-11-22T10:00:00Z', '2026-11-22T10:00:00.000Z'],
  ['2026-11-22T10:00+02:00', '2026-11-22T08:00:00.000Z'],
  ['5m', '2026-11-22T11:55:00.000Z'],
  ['1.5h', '2026-11-22T10:30:00.000Z'],
  ['3d', '2026-11-19T12:00:00.000Z'],
])('%s is %s', (text, expected) => {
  expect(parseTime(text, now)?.toISOString()).toBe(expected)
})

test.each(['', '5', '5 minutes', '2026-11-22', '2026-11-22T10:00:00', '2026-13-22T10:00:00Z', '-5m'])(
  '"%s" is no time',
  (text) => {
    expect(parseTime(text, now)).toBeUndefined()
  },
)
