import { expect, test } from 'vitest'
import { newSlug, randomBase62 } from './random.ts'

test('slugs are a letter and 11 characters, and no two are the same', () => {
  const slugs = Array.from({ length: 1000 }, () => newSlug('s'))
  for (const slug of slugs) expect(slug).toMatch(/^s[a-zA-Z0-9]{11}$/)
  expect(new Set(slugs).size).toBe(1000)
  expect(newSlug('o')).toMatch(/^o[a-zA-Z0-9]{11}$/)
})

test('every character is about as likely as any other', () => {
  const counts = new Map<string, number>()
  for (const character of randomBase62(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // 1000 expected of each; 6 standard deviations.
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(190)
})
