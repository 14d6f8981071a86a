import { currencies, currencyExponent } from '@frontdesk/contracts'
import type { ProblemFault } from '@frontdesk/problems'
import { ProviderRefused, UnreadableAnswer } from '../errors.ts'

// Our amounts are ISO 4217 minor units; Stripe's differ for some currencies (docs.stripe.com/currencies).
// HUF and TWD are zero-decimal for payouts only, so charges in them need no exception.

const zeroDecimal = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
/** Stripe wants two decimals for historical reasons, although ISO has none; both must be zero. */
const twoDecimalByException = new Set(['ISK', 'UGX'])
/** Stripe wants three decimals, the last of which must be zero. */
const threeDecimal = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

/** Stripe accepts at most eight digits. */
const largest = 99_999_999

/**
 * Minimum amounts in ISO 4217 minor units, as Stripe documents them for a settlement in the same currency. For currencies
 * not listed here the provider decides.
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
  /** Stripe's amount = our amount x multiplier / divisor. */
  multiplier: number
  divisor: number
  /** Stripe's amount must be a multiple of this. */
  step: number
}

const unchanged: Conversion = { multiplier: 1, divisor: 1, step: 1 }

/** Returns how to convert a currency, or undefined if Stripe's unit for it is not known. */
function conversion(currency: string): Conversion | undefined {
  if (!currencies.includes(currency)) return undefined
  const exponent = currencyExponent(currency)
  if (twoDecimalByException.has(currency)) return { multiplier: 100, divisor: 1, step: 100 }
  if (zeroDecimal.has(currency)) return { multiplier: 1, divisor: 10 ** exponent, step: 1 }
  if (threeDecimal.has(currency)) return { ...unchanged, step: 10 }
  return exponent === 2 ? unchanged : undefined
}

/**
 * Converts ISO 4217 minor units to Stripe's amount in that currency (upper-case ISO code).
 * `pointer` (RFC 6901) is the member of our request that holds the amount.
 * Throws ProviderRefused: `currency_unsupported`, `amount_not_representable`, `amount_too_large`.
 */
export function stripeAmount(minor: number, currency: string, pointer?: string): number {
  const rule = knownConversion(currency)
  const amount = (minor * rule.multiplier) / rule.divisor
  if (amount > largest) {
    throw new ProviderRefused(
      'amount_too_large',
      `${minor} ${currency} is more than the provider accepts`,
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

/** Returns the upper-case ISO code of a currency in an answer of Stripe. Throws UnreadableAnswer if we do not know it. */
export function currencyOf(answer: unknown): string {
  const currency = typeof answer === 'string' ? answer.toUpperCase() : undefined
  if (currency === undefined || conversion(currency) === undefined)
    throw new UnreadableAnswer(`the currency is ${String(answer)}`)
  return currency
}

/**
 * Converts Stripe's amount in an answer to ISO 4217 minor units; the inverse of `stripeAmount`. Fractions, which our own
 * requests never cause, are rounded: a record must always be readable. Throws UnreadableAnswer.
 */
export function minorUnits(answer: unknown, currency: string): number {
  const rule = conversion(currency)
  if (rule === undefined || !Number.isSafeInteger(answer))
    throw new UnreadableAnswer(`the amount is ${String(answer)} ${currency}`)
  return Math.round((Number(answer) * rule.divisor) / rule.multiplier)
}

/** Checks a total against the provider's minimum. Throws ProviderRefused `amount_too_small`. */
export function checkMinimum(minor: number, currency: string) {
  const minimum = minimumAmounts[currency] ?? 1
  if (minor >= minimum) return
  const text = `the minimum amount in ${currency} is ${minimum} in minor units`
  throw new ProviderRefused('amount_too_small', text, faults('/LineItems', text))
}

function knownConversion(currency: string): Conversion {
  const rule = conversion(currency)
  if (rule !== undefined) return rule
  const text = `the provider does not accept payments in ${currency}`
  throw new ProviderRefused('currency_unsupported', text, faults('/Currency', text))
}

function faults(pointer: string | undefined, detail = 'not accepted by the provider'): { faults?: ProblemFault[] } {
  return pointer === undefined ? {} : { faults: [{ pointer, detail }] }
}
