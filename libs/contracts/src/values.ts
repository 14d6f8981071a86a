import currencyCodes from 'currency-codes'
import { iso31661 } from 'iso-3166'
import { Type, type Static } from 'typebox'

/** A slug: `s…` names a site, `o…` an organisation; `l…` is accepted but never issued (interface, "Slug"). */
export const slugPattern = /^[osl][a-zA-Z0-9]{3,}$/
export const Slug = Type.String({
  pattern: slugPattern.source,
  description: 'A URL-safe identifier: `s…` of a site, `o…` of an organisation. It never changes.',
})
export type Slug = Static<typeof Slug>

export const Uuid = Type.String({ format: 'uuid', description: 'A UUID (RFC 9562).' })
export const DateTime = Type.String({ format: 'date-time', description: 'A time with its offset (RFC 3339).' })
export const HttpUrl = Type.String({
  format: 'uri',
  pattern: '^[hH][tT][tT][pP][sS]?://[^/?#]',
  maxLength: 2048,
  description: 'An absolute URL, `https` or `http`.',
})

/** Country codes of ISO 3166-1 alpha-2. */
export const countryCodes: readonly string[] = iso31661.map((entry) => entry.alpha2).toSorted()
export const Country = Type.String({ enum: countryCodes, description: 'A country code of ISO 3166-1 alpha-2.' })

const countriesBySpelling = new Map(
  iso31661.flatMap(({ alpha2, alpha3, numeric }) => [alpha2, alpha3, numeric].map((code) => [code, alpha2] as const)),
)

/** Returns the alpha-2 code of a country code of ISO 3166-1 (alpha-2, alpha-3 or numeric, in any case); anything else unchanged. */
export function countryOf(value: unknown): unknown {
  return typeof value === 'string' ? (countriesBySpelling.get(value.toUpperCase()) ?? value) : value
}

/** Currency codes of ISO 4217, from the list of its maintenance agency. */
export const currencies: readonly string[] = currencyCodes.codes().toSorted()
export const Currency = Type.String({ enum: currencies, description: 'A currency code of ISO 4217.' })

/** Returns a currency's number of decimals by ISO 4217 (`Intl` follows CLDR). Throws RangeError for an unknown code. */
export function currencyExponent(currency: string): number {
  const entry = currencyCodes.code(currency)
  if (entry === undefined) throw new RangeError(`unknown currency ${currency}`)
  return entry.digits
}

/** The largest double that is an int64. The next one is 2^63. */
export const largestInt64 = 2 ** 63 - 1024

/** Money in ISO 4217 minor units, up to the largest integer that a JSON number holds exactly. */
export const MinorUnits = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  format: 'int64',
  description: 'Money in minor units of its currency (ISO 4217): pence, cents, yen.',
})

/** The token of a list's next page. It carries the filters of the list; an empty one is the first page. */
export const PageToken = Type.String({
  maxLength: 16_384,
  description:
    'The `NextPageToken` of the page before. It carries the filters of that page, so it is enough alone; a filter that you send with it must be the same. Empty: the first page.',
})

/** Makes an object closed: a request with an unknown member is refused with 400. */
export const closed = { additionalProperties: false } as const
