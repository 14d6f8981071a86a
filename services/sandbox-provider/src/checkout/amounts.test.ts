import { expect, test } from 'vitest'
import { checkGranularity, checkTotal, formatAmount } from './amounts.ts'

const shown = (amount: number, currency: string, locale = 'en') =>
  formatAmount(amount, currency, { locale }).replaceAll(/[\s\u00a0]/g, ' ')

test('an amount is shown with the decimals of Stripe', () => {
  expect(shown(25_000, 'nzd', 'en-NZ')).toBe('$250.00')
  expect(shown(25_000, 'nzd', 'en-GB')).toBe('NZ$250.00')
  expect(shown(123_456_70, 'eur', 'de-DE')).toBe('123.456,70 €')
  expect(shown(10_000, 'jpy')).toBe('¥10,000')
  expect(shown(12_500, 'kwd')).toBe('KWD 12.500')
  expect(shown(5, 'gbp', 'en-GB')).toBe('£0.05')
  expect(shown(5, 'kwd')).toBe('KWD 0.005')
})

test('an amount of a currency without subunits is shown without decimals', () => {
  expect(shown(250_000, 'isk')).toBe('ISK 2,500')
  expect(shown(250_000, 'ugx')).toBe('UGX 2,500')
})

test('decimals come from the table, even if Intl has others', () => {
  // ICU has no decimals for these, ISO 4217 and Stripe have two.
  expect(shown(250_000, 'huf')).toBe('HUF 2,500.00')
  expect(shown(250_000, 'pkr')).toBe('PKR 2,500.00')
  // ICU has two for this one, Stripe none.
  expect(shown(250_000, 'mga')).toBe('MGA 250,000')
})

test('the largest amount loses no digit', () => {
  expect(shown(99_999_999, 'usd', 'en-US')).toBe('$999,999.99')
  expect(shown(99_999_990, 'kwd')).toBe('KWD 99,999.990')
})

test('an amount that the currency cannot represent is refused', () => {
  expect(() => checkGranularity(12_345, 'kwd', 'x')).toThrow('divisible by 10')
  expect(() => checkGranularity(12_340, 'kwd', 'x')).not.toThrow()
  expect(() => checkGranularity(12_350, 'isk', 'x')).toThrow('divisible by 100')
  expect(() => checkGranularity(1, 'jpy', 'x')).not.toThrow()
})

test('a total below the minimum or above the maximum is refused', () => {
  expect(() => checkTotal(49, 'nzd')).toThrow('at least 0.50 nzd')
  expect(() => checkTotal(50, 'nzd')).not.toThrow()
  expect(() => checkTotal(49, 'jpy')).toThrow('at least 50 jpy')
  expect(() => checkTotal(0, 'zar')).toThrow('at least')
  expect(() => checkTotal(100_000_000, 'nzd')).toThrow('no more than 999999.99 nzd')
})
