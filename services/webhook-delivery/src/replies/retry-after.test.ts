import { expect, test } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

test.each([
  ['120', 120_000],
  ['120.1', 121_000],
  [' 7 ', 7_000],
  ['0', 1_000],
  ['86400', 86_400_000],
  ['999999999', 86_400_000],
  ['Sat, 21 Nov 2026 12:01:00 GMT', 60_000],
  ['Saturday, 21-Nov-26 12:01:00 GMT', 60_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 1_000],
  ['Sat, 28 Nov 2026 12:00:00 GMT', 86_400_000],
])('%j asks for %i ms', (header, wait) => {
  expect(parseRetryAfter(header, now)).toBe(wait)
})

test.each([undefined, '', 'soon', '-5', '1e3', '5s', '2026-11-21', 'Sat, never'])('%j asks for nothing', (header) => {
  expect(parseRetryAfter(header, now)).toBeUndefined()
})
