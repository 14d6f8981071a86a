import { currencies, currencyExponent } from '@frontdesk/contracts'
import { assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ProviderRefused } from '../errors.ts'
import { checkMinimum, minimumAmounts, minorUnits, stripeAmount } from './amounts.ts'

const supported = currencies.filter((currency) => refusalOf(() => stripeAmount(0, currency)) === undefined)

function refusalOf(run: () => unknown): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof ProviderRefused) return error.reason
    throw error
  }
}

describe('stripeAmount', () => {
  test.each([
    ['USD', 1_999, 1_999],
    ['HUF', 17_500, 17_500],
    ['TWD', 12_300, 12_300],
    ['JPY', 500, 500],
    ['KRW', 500, 500],
    ['ISK', 500, 50_000],
    ['UGX', 3, 300],
    ['MGA', 1_200, 12],
    ['KWD', 1_230, 1_230],
    ['BHD', 10, 10],
  ])('sends %s %d as %d', (currency, minor, amount) => {
    expect(stripeAmount(minor, currency)).toBe(amount)
    expect(minorUnits(amount, currency)).toBe(minor)
  })

  test('an amount that Stripe cannot represent is refused, and the fault names the member', () => {
    expect(refusalOf(() => stripeAmount(1_234, 'KWD'))).toBe('amount_not_representable')
    expect(refusalOf(() => stripeAmount(150, 'MGA'))).toBe('amount_not_representable')
    expect(() => stripeAmount(1_234, 'KWD', '/LineItems/1/Price')).toThrow(
      expect.objectContaining({
        details: { faults: [{ pointer: '/LineItems/1/Price', detail: expect.stringContaining('10') }] },
      }),
    )
  })

  test('an amount of more than eight digits in the unit that is sent is refused', () => {
    expect(stripeAmount(99_999_999, 'USD')).toBe(99_999_999)
    expect(refusalOf(() => stripeAmount(100_000_000, 'USD'))).toBe('amount_too_large')
    expect(refusalOf(() => stripeAmount(1_000_000, 'ISK'))).toBe('amount_too_large')
    expect(stripeAmount(9_999_999_900, 'MGA')).toBe(99_999_999)
  })

  test('a currency whose unit at Stripe is unknown is refused', () => {
    for (const currency of ['CLF', 'UYW', 'IQD', 'LYD', 'XAU', 'XXX', 'XTS', 'UYI']) {
      expect(
        refusalOf(() => stripeAmount(1_000, currency)),
        currency,
      ).toBe('currency_unsupported')
    }
    expect(supported.length).toBeGreaterThan(130)
  })

  test('in every currency, a converted amount converts back to itself', () => {
    assert(
      property(constantFrom(...supported), integer({ min: 0, max: 99_999_999 }), (currency, minor) => {
        if (refusalOf(() => stripeAmount(minor, currency)) !== undefined) return
        expect(minorUnits(stripeAmount(minor, currency), currency)).toBe(minor)
      }),
      { numRuns: 5_000 },
    )
  })

  test('whole major units are representable in every supported currency', () => {
    assert(
      property(constantFrom(...supported), integer({ min: 0, max: 99_999 }), (currency, major) => {
        const minor = major * 10 ** currencyExponent(currency)
        expect(minorUnits(stripeAmount(minor, currency), currency)).toBe(minor)
      }),
    )
  })
})

describe('checkMinimum', () => {
  test('a total below the documented minimum is refused, the minimum itself passes', () => {
    for (const [currency, minimum] of Object.entries(minimumAmounts)) {
      expect(
        refusalOf(() => checkMinimum(minimum, currency)),
        currency,
      ).toBeUndefined()
      expect(
        refusalOf(() => checkMinimum(minimum - 1, currency)),
        currency,
      ).toBe('amount_too_small')
    }
  })

  test('without a documented minimum any total passes', () => {
    expect(refusalOf(() => checkMinimum(1, 'ISK'))).toBeUndefined()
  })
})
