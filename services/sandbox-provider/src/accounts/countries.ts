import { ApiError, invalidRequest } from '../api/errors.ts'

/** The default country of a connected account is the platform's own. */
const platformCountry = 'US'

/** The countries in which Stripe opens accounts that take payments, with their currency. */
const currencies: Record<string, string> = {
  AE: 'aed', AU: 'aud', BG: 'eur', BR: 'brl', CA: 'cad', CH: 'chf', CZ: 'czk', DK: 'dkk', GB: 'gbp', GI: 'gbp', HK: 'hkd',
  HU: 'huf', IN: 'inr', JP: 'jpy', LI: 'chf', MX: 'mxn', MY: 'myr', NO: 'nok', NZ: 'nzd', PL: 'pln', RO: 'ron', SE: 'sek',
  SG: 'sgd', TH: 'thb', US: 'usd',
  ...Object.fromEntries('AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ').map((country) => [country, 'eur'])),
} // prettier-ignore

/** Countries whose accounts may also be paid out in currencies of others. Stripe has more of them than this table. */
const otherCurrencies: Record<string, string> = { CA: 'usd', HK: 'usd', SG: 'usd' }
const europeanCountries = new Set(
  'AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
)
const europeanCurrencies = 'chf czk dkk eur gbp huf nok pln ron sek usd'.split(' ')

/**
 * Returns the country and the default currency of a new account. The country cannot be changed later.
 *
 * @throws ApiError for a country without Stripe, or a currency that accounts there cannot have
 */
export function placeOf(params: { country?: string | undefined; default_currency?: string | undefined }): {
  country: string
  defaultCurrency: string
} {
  const country = params.country ?? platformCountry
  const own = currencies[country]
  if (own === undefined) {
    throw new ApiError(`Stripe does not support accounts in the country '${country}' yet.`, {
      code: 'country_unsupported',
      param: 'country',
    })
  }
  return { country, defaultCurrency: checkedCurrency(params.default_currency, country) ?? own }
}

/**
 * Returns a default currency in Stripe's form.
 *
 * @throws ApiError if accounts in the country cannot have it
 */
export function checkedCurrency(currency: string | undefined, country: string): string | undefined {
  if (currency === undefined) return undefined
  const possible = [
    ...new Set([
      currencies[country] ?? '',
      ...(otherCurrencies[country]?.split(' ') ?? []),
      ...(europeanCountries.has(country) ? europeanCurrencies : []),
    ]),
  ]
  const read = currency.toLowerCase()
  if (possible.includes(read)) return read
  throw invalidRequest(
    `Invalid currency: ${read}. Accounts in ${country} can have these default currencies: ${possible.join(', ')}.`,
    'default_currency',
  )
}
