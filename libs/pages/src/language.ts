import Negotiator from 'negotiator'

export const languages = ['en', 'de', 'fr', 'nl'] as const
export type Language = (typeof languages)[number]

/** How a page speaks to its reader. */
export interface Voice {
  /** The language of its texts. */
  language: Language
  /** A BCP 47 tag: the language, and the region whose numbers and dates it uses. */
  locale: string
  /** The country of the practice (ISO 3166-1 alpha-2); undefined if it is not known. */
  country: string | undefined
}

/** The countries of each language: a practice there has its amounts and dates written as is usual in that country. */
const countries: Record<Language, readonly string[]> = {
  en: ['AU', 'CA', 'GB', 'IE', 'IN', 'NZ', 'SG', 'US', 'ZA'],
  de: ['AT', 'CH', 'DE', 'LI', 'LU'],
  fr: ['BE', 'CA', 'CH', 'FR', 'LU', 'MC'],
  nl: ['BE', 'NL'],
}

/** The language of a country's practices, for a browser that asks for none of ours. Every other country has English. */
const languageOf: Record<string, Language> = {
  AT: 'de', CH: 'de', DE: 'de', LI: 'de', BE: 'nl', NL: 'nl', FR: 'fr', LU: 'fr', MC: 'fr',
} // prettier-ignore

/**
 * Returns the voice of a page: the language that the browser likes best, or that of the practice's country if the browser asks
 * for none of ours, and the formats of that country. Where the country does not speak the language, its formats are those of the
 * browser's own region.
 *
 * @param acceptLanguage the header of the request
 * @param country of the practice, ISO 3166-1 alpha-2
 */
export function voiceOf(acceptLanguage: string | undefined, country?: string): Voice {
  const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } })
  const own = languageOf[country ?? ''] ?? 'en'
  // The first one serves a browser that accepts any language.
  const [language = own] = negotiator.languages([own, ...languages]) as Language[]
  return { language, locale: localeOf(language, country, negotiator.languages()), country }
}

function localeOf(language: Language, country: string | undefined, accepted: string[]): string {
  const spoken = countries[language]
  if (country !== undefined && spoken.includes(country)) return `${language}-${country}`
  const regions = accepted
    .filter((tag) => tag.toLowerCase().startsWith(`${language}-`))
    .map((tag) => tag.slice(3).toUpperCase())
  const region = regions.find((candidate) => spoken.includes(candidate))
  return region === undefined ? language : `${language}-${region}`
}
