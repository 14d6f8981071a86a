import { currencyExponent } from '@frontdesk/contracts'
import type { ProblemFault } from '@frontdesk/problems'
import { ProviderRefused } from '../errors.ts'

// Ours are ISO 4217 minor units; Stripe's are those with exceptions (reference payments.md 2b, docs.stripe.com/currencies).
// HUF and TWD are zero-decimal for payouts only, so charges in them need no exception.

const zeroDecimal = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
/** Sent with two decimals for historical reasons, though ISO has none; the two must be zero. */
const twoDecimalByException = new Set(['ISK', 'UGX'])
/** Sent with three decimals, the last of which must be zero. */
const threeDecimal = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

/** Stripe takes at most eight digits. */
const largest = 99_999_999

/**
 * Least amounts by currency in ISO 4217 minor units, as documented for a settlement in the same currency. For the others
 * the provider answers.
 */
export const minimumAmounts: Readonly<Record<string, number>> = {
  USD: 50,
  EUR: 50,
  AUD: 50,
  CAD: 50,
  CHF: 50,
  NZD: 50,
  SGD: 50,
  BRL: 50,
  INR: 50,
  GBP: 30,
  AED: 200,
  MYR: 200,
  PLN: 200,
  RON: 200,
  SEK: 300,
  NOK: 300,
  DKK: 250,
  HKD: 400,
  MXN: 1_000,
  THB: 1_000,
  CZK: 1_500,
  JPY: 50,
  HUF: 17_500,
}

interface Conversion {
  /** Stripe's integer = minor x multiplier / divisor. */
  multiplier: number
  divisor: number
  /** Stripe's integer must be a multiple of it. */
  step: number
}

const asItIs: Conversion = { multiplier: 1, divisor: 1, step: 1 }

/** How an amount is converted, or nothing where Stripe's unit for the currency is not known. */
function conversion(currency: string): Conversion | undefined {
  const exponent = currencyExponent(currency)
  if (twoDecimalByException.has(currency)) return { multiplier: 100, divisor: 1, step: 100 }
  if (zeroDecimal.has(currency)) return { multiplier: 1, divisor: 10 ** exponent, step: 1 }
  if (threeDecimal.has(currency)) return { ...asItIs, step: 10 }
  return exponent === 2 ? asItIs : undefined
}

/**
 * Converts an amount in ISO 4217 minor units to Stripe's integer for the currency (upper-case ISO code).
 * `pointer` names the member of our request that the amount came from.
 * Throws ProviderRefused: `currency_unsupported`, `amount_not_representable`, `amount_too_large`.
 */
export function stripeAmount(minor: number, currency: string, pointer?: string): number {
  const rule = knownConversion(currency)
  const amount = (minor * rule.multiplier) / rule.divisor
  if (amount > largest) {
    throw new ProviderRefused(
      'amount_too_large',
      `${minor} ${currency} is more than the provider takes`,
      faults(pointer),
    )
  }
  if (!Number.isInteger(amount) || amount % rule.step !== 0) {
    const smallest = (rule.step * rule.divisor) / rule.multiplier
    const text = `${currency} amounts must be multiples of ${smallest} in minor units`
    throw new ProviderRefused('amount_not_representable', text, faults(pointer, text))
  }
  return amount
}

/**
 * Converts Stripe's integer back to ISO 4217 minor units; the inverse of `stripeAmount`. What our own requests never
 * lead to (a part of an ISK krona) is rounded, so that a record can always be read.
 * Throws ProviderRefused `currency_unsupported`.
 */
export function minorUnits(amount: number, currency: string): number {
  const rule = knownConversion(currency)
  return Math.round((amount * rule.divisor) / rule.multiplier)
}

/** Refuses a total that the provider would refuse as too small. Throws ProviderRefused `amount_too_small`. */
export function checkMinimum(minor: number, currency: string) {
  const minimum = minimumAmounts[currency] ?? 1
  if (minor >= minimum) return
  const text = `the least amount in ${currency} is ${minimum} in minor units`
  throw new ProviderRefused('amount_too_small', text, faults('/LineItems', text))
}

function knownConversion(currency: string): Conversion {
  const rule = conversion(currency)
  if (rule !== undefined) return rule
  const text = `the provider takes no payments in ${currency}`
  throw new ProviderRefused('currency_unsupported', text, faults('/Currency', text))
}

function faults(pointer: string | undefined, detail = 'not taken by the provider'): { faults?: ProblemFault[] } {
  return pointer === undefined ? {} : { faults: [{ pointer, detail }] }
}
