import type { Voice } from './language.ts'

/**
 * Returns an amount as it is usual in a voice, for instance `$120.00`, `1.234,50 €` or `KWD 12.500`. `Intl` chooses the symbol, the
 * separators and their places. It writes the decimals that it is given, since ICU's differ from those of ISO 4217 for about twenty
 * currencies.
 *
 * @param value a decimal numeral in major units: text, so that it never becomes a float
 * @param currency ISO 4217, in either case
 */
export function formatMoney(value: string, currency: string, { locale }: Pick<Voice, 'locale'>): string {
  const decimals = value.includes('.') ? value.length - value.indexOf('.') - 1 : 0
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value as Intl.StringNumericLiteral)
}

/** Returns an amount in major units as a decimal numeral, without floating point. */
export function majorUnits(minor: number, decimals: number): string {
  if (decimals === 0) return String(minor)
  const digits = String(minor).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The clocks of countries that have one. In all others a time is told in UTC, and says so. */
const timeZones: Record<string, string> = {
  AT: 'Europe/Vienna', BE: 'Europe/Brussels', CH: 'Europe/Zurich', DE: 'Europe/Berlin', FR: 'Europe/Paris',
  GB: 'Europe/London', IE: 'Europe/Dublin', LI: 'Europe/Vaduz', LU: 'Europe/Luxembourg', MC: 'Europe/Monaco',
  NL: 'Europe/Amsterdam', NZ: 'Pacific/Auckland', SG: 'Asia/Singapore', ZA: 'Africa/Johannesburg',
} // prettier-ignore

/** Returns a time by the practice's clock, for instance `22 November 2026 at 16:05 NZDT`. */
export function formatTime(time: Date, { locale, country }: Pick<Voice, 'locale' | 'country'>): string {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: timeZones[country ?? ''] ?? 'UTC',
  }).format(time)
}

/** Returns a country's name in the language of a voice. */
export function countryName(country: string, { language }: Pick<Voice, 'language'>): string {
  return new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country
}
