import { expect, test } from 'vitest'
import { checkGranularity, checkTotal, formatAmount, pageLocale } from './amounts.ts'

const shown = (amount: number, currency: string, country = '') =>
  formatAmount(amount, currency, country).replaceAll(/[\s\u00a0]/g, ' ')

test('an amount is shown with the decimals that Stripe counts in', () => {
  expect(shown(25_000, 'nzd', 'NZ')).toBe('$250.00')
  expect(shown(25_000, 'nzd', 'GB')).toBe('NZ$250.00')
  expect(shown(123_456_70, 'eur', 'DE')).toBe('€123,456.70')
  expect(shown(10_000, 'jpy', 'JP')).toBe('¥10,000')
  expect(shown(12_500, 'kwd', 'KW')).toBe('KWD 12.500')
  expect(shown(5, 'gbp', 'GB')).toBe('£0.05')
  expect(shown(5, 'kwd')).toBe('KWD 0.005')
})

test('what Stripe is sent in hundredths is shown without them', () => {
  expect(shown(250_000, 'isk', 'IS')).toBe('ISK 2,500')
  expect(shown(250_000, 'ugx', 'UG')).toBe('UGX 2,500')
})

test('decimals come from the table even where Intl has others', () => {
  // ICU counts none for these, ISO 4217 and Stripe two.
  expect(shown(250_000, 'huf', 'HU')).toBe('HUF 2,500.00')
  expect(shown(250_000, 'pkr', 'PK')).toBe('PKR 2,500.00')
  // And two for this one, which Stripe takes without.
  expect(shown(250_000, 'mga', 'MG')).toBe('MGA 250,000')
})

test('the greatest amount loses no digit', () => {
  expect(shown(99_999_999, 'usd', 'US')).toBe('$999,999.99')
  expect(shown(99_999_990, 'kwd')).toBe('KWD 99,999.990')
})

test('pages of a practice outside of the English-speaking countries are in plain English', () => {
  expect([pageLocale('NZ'), pageLocale('KW'), pageLocale('')]).toEqual(['en-NZ', 'en', 'en'])
})

test('amounts that a currency has no coins for are refused', () => {
  expect(() => checkGranularity(12_345, 'kwd', 'x')).toThrow('divisible by 10')
  expect(() => checkGranularity(12_340, 'kwd', 'x')).not.toThrow()
  expect(() => checkGranularity(12_350, 'isk', 'x')).toThrow('divisible by 100')
  expect(() => checkGranularity(1, 'jpy', 'x')).not.toThrow()
})

test('totals have a least and a greatest amount', () => {
  expect(() => checkTotal(49, 'nzd')).toThrow('at least 0.50 nzd')
  expect(() => checkTotal(50, 'nzd')).not.toThrow()
  expect(() => checkTotal(49, 'jpy')).toThrow('at least 50 jpy')
  expect(() => checkTotal(0, 'zar')).toThrow('at least')
  expect(() => checkTotal(100_000_000, 'nzd')).toThrow('no more than 999999.99 nzd')
})
