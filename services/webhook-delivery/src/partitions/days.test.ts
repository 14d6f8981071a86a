import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { lowestIdAt } from '../event-ids.ts'
import { dayInName, dayName, dayOf, startOfDay } from './days.ts'

test('the bounds of a day contain every id made on that day, and no other', () => {
  const day = dayOf(Date.parse('2026-11-21T12:00:00Z'))
  const [from, to] = [lowestIdAt(startOfDay(day)), lowestIdAt(startOfDay(day + 1))]
  const inside = [startOfDay(day), startOfDay(day + 1) - 1].map((msecs) => uuidv7({ msecs }))
  const outside = [startOfDay(day) - 1, startOfDay(day + 1)].map((msecs) => uuidv7({ msecs }))
  expect(inside.every((id) => from <= id && id < to)).toBe(true)
  expect(outside.some((id) => from <= id && id < to)).toBe(false)
})

test('a partition is named after its day', () => {
  const day = dayOf(Date.parse('2026-03-01T00:00:00Z'))
  expect(dayName(day)).toBe('20260301')
  expect(dayInName('delivery.attempts_20260301')).toBe(day)
  expect(dayInName('delivery.attempts')).toBeUndefined()
})
