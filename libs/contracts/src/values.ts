import currencyCodes from 'currency-codes'
import { iso31661 } from 'iso-3166'
import { Type, type Static } from 'typebox'

export const slugPattern = /^[osl][a-zA-Z0-9]{3,}$/
/** Slug of a site (`s…`) or an organisation (`o…`); `l…` is accepted, never minted (interface "Slug"). */
export const Slug = Type.String({ pattern: slugPattern.source })
export type Slug = Static<typeof Slug>

export const Uuid = Type.String({ format: 'uuid' })
export const DateTime = Type.String({ format: 'date-time' })
export const HttpUrl = Type.String({ format: 'uri', pattern: '^[hH][tT][tT][pP][sS]?://[^/?#]', maxLength: 2048 })

/** ISO 3166-1 alpha-2. */
export const countryCodes: readonly string[] = iso31661.map((entry) => entry.alpha2).toSorted()
export const Country = Type.String({ enum: countryCodes })

/** ISO 4217, from the list the standard's maintenance agency publishes. */
export const currencies: readonly string[] = currencyCodes.codes().toSorted()
export const Currency = Type.String({ enum: currencies })

/** Digits after the decimal point of a currency, by ISO 4217 (never by `Intl`, which follows CLDR). Throws on an unknown code. */
export function currencyExponent(currency: string): number {
  const entry = currencyCodes.code(currency)
  if (entry === undefined) throw new RangeError(`unknown currency ${currency}`)
  return entry.digits
}

/** Money in ISO 4217 minor units; every integer a JSON number holds exactly. */
export const MinorUnits = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** Free text of a person: no control characters but tab and line breaks. */
export const text = (maxLength: number) =>
  Type.String({ maxLength, pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$' })

/** A closed object: an unknown member is refused with 400. */
export const closed = { additionalProperties: false } as const
