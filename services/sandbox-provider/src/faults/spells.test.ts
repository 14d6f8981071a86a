import { expect, test } from 'vitest'
import { isInSpell } from './spells.ts'

test('a spell begins with the setting, ends, and comes again', () => {
  const setting = { lastMs: 1_500, betweenMs: 18_500 }
  const in20Seconds = Array.from({ length: 200 }, (_, index) => isInSpell(setting, index * 100))
  expect(in20Seconds.lastIndexOf(true)).toBe(14)
  expect(in20Seconds.filter(Boolean)).toHaveLength(15)
  expect(isInSpell(setting, 20_000)).toBe(true)
  expect(isInSpell(setting, 39_999)).toBe(false)
  expect(isInSpell(undefined, 17_000)).toBe(true)
})
