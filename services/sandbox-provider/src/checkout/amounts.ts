import { formatMoney, majorUnits } from '@frontdesk/pages/formats'
import type { Voice } from '@frontdesk/pages/language'
import { invalidRequest } from '../api/errors.ts'

// Stripe's table, not ISO 4217's. It repeats the adapter's table on purpose: a shared table would hide its faults from
// every test. Source: Stripe's "Supported currencies", autumn 2026.

const currencies = new Set(
  (
    'usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf ' +
    'clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl htg huf idr ' +
    'ils inr isk jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr ' +
    'mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd ' +
    'shp sle sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx uyu uzs vnd vuv wst xaf xcd xcg xof xpf yer zar zmw'
  ).split(' '),
)
const zeroDecimal = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const threeDecimal = new Set('bhd jod kwd omr tnd'.split(' '))
/** Currencies without subunits whose amounts Stripe nevertheless takes in hundredths. */
const sentInHundredths = new Set('isk ugx'.split(' '))

const minimumAmounts: Record<string, number> = {
  usd: 50, eur: 50, aud: 50, cad: 50, chf: 50, nzd: 50, sgd: 50, brl: 50, inr: 50, gbp: 30, aed: 200, myr: 200, pln: 200,
  ron: 200, sek: 300, nok: 300, dkk: 250, hkd: 400, mxn: 1000, thb: 1000, czk: 1500, jpy: 50, huf: 17_500,
} // prettier-ignore

/** Stripe accepts at most eight digits. */
export const maximumAmount = 99_999_999

/** Throws ApiError for a currency that Stripe cannot charge. */
export function checkCurrency(currency: string, param: string): void {
  if (currencies.has(currency)) return
  throw invalidRequest(`Invalid currency: ${currency}. Stripe does not currently support this currency.`, param)
}

/** Throws ApiError for an amount that the currency cannot represent. */
export function checkGranularity(amount: number, currency: string, param: string): void {
  const step = threeDecimal.has(currency) ? 10 : sentInHundredths.has(currency) ? 100 : 1
  if (amount % step === 0) return
  throw invalidRequest(
    `Invalid amount: amounts in ${currency} must be divisible by ${step}.`,
    param,
    'parameter_invalid_integer',
  )
}

/** Throws ApiError for a total below or above the limits of Stripe for the currency. */
export function checkTotal(amount: number, currency: string): void {
  const minimum = minimumAmounts[currency] ?? 1
  if (amount < minimum) {
    throw invalidRequest(
      `The Checkout Session's total amount must be at least ${plainAmount(minimum, currency)} ${currency}.`,
      'line_items',
      'amount_too_small',
    )
  }
  if (amount > maximumAmount) {
    throw invalidRequest(
      `The Checkout Session's total amount must be no more than ${plainAmount(maximumAmount, currency)} ${currency}.`,
      'line_items',
      'amount_too_large',
    )
  }
}

/**
 * Formats an amount as it is usual in a voice, for instance `$120.00`, `¥10,000` or `KWD 12.500`, with Stripe's decimals.
 *
 * @param amount in Stripe's smallest unit of the currency
 */
export function formatAmount(amount: number, currency: string, voice: Pick<Voice, 'locale'>): string {
  return formatMoney(plainAmount(amount, currency), currency, voice)
}

/** Returns an amount in major units as a decimal numeral, without floating point. */
function plainAmount(amount: number, currency: string): string {
  if (sentInHundredths.has(currency)) return String(Math.trunc(amount / 100))
  return majorUnits(amount, zeroDecimal.has(currency) ? 0 : threeDecimal.has(currency) ? 3 : 2)
}
