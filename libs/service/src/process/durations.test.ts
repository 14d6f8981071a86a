import { expect, test } from 'vitest'
import { parseDuration, parseSchedule } from './durations.ts'

test('a schedule is a list of waits in any unit', () => {
  expect(parseSchedule('500ms, 5s,1.5m,2h')).toEqual([500, 5_000, 90_000, 7_200_000])
})

test.each(['', '5', 's', '5d', '-5s', '5 s'])('%j is not a duration', (text) => {
  expect(() => parseDuration(text)).toThrow(RangeError)
})
