import { expect, test } from 'vitest'
import { countryName, formatMoney, formatTime, majorUnits } from './formats.ts'
import { voiceOf } from './language.ts'

const heard = (header: string | undefined, country?: string) => voiceOf(header, country).locale

test('the browser chooses the language, and the country of the practice the formats', () => {
  expect(heard('en-US,en;q=0.9', 'NZ')).toBe('en-NZ')
  expect(heard('de-DE,de;q=0.9,en;q=0.5', 'AT')).toBe('de-AT')
  expect(heard('nl', 'BE')).toBe('nl-BE')
  expect(heard('fr-FR', 'BE')).toBe('fr-BE')
})

test('in a country that does not speak the language, formats are those of the browser', () => {
  expect(heard('de-AT,de;q=0.9', 'NZ')).toBe('de-AT')
  expect(heard('en-GB', 'DE')).toBe('en-GB')
  expect(heard('de', 'NZ')).toBe('de')
  expect(heard('en-XX', 'KW')).toBe('en')
})

test('a browser that asks for none of our languages gets that of the practice', () => {
  expect(heard(undefined, 'DE')).toBe('de-DE')
  expect(heard('it-IT', 'FR')).toBe('fr-FR')
  expect(heard('*', 'NL')).toBe('nl-NL')
  expect(heard('it,en;q=0.4', 'FR')).toBe('en')
  expect(heard('it', 'JP')).toBe('en')
  expect(heard(';;q=x', 'AU')).toBe('en-AU')
})

const plain = (text: string) => text.replaceAll(/\s/g, ' ')

test('money is written as in the country, with the decimals that it is given', () => {
  const written = (locale: string, value = '123726.48') => plain(formatMoney(value, 'eur', { locale }))
  expect(written('de-DE')).toBe('123.726,48 €')
  expect(written('fr-FR')).toBe('123 726,48 €')
  expect(written('nl-NL')).toBe('€ 123.726,48')
  expect(written('en-IE')).toBe('€123,726.48')
  expect(written('en-AU')).toBe('EUR 123,726.48')
  // ICU has no decimals for it, ISO 4217 has two.
  expect(plain(formatMoney('2500.00', 'HUF', { locale: 'de' }))).toBe('2.500,00 HUF')
})

test('major units keep every digit', () => {
  expect([majorUnits(5, 2), majorUnits(12_345, 3), majorUnits(700, 0)]).toEqual(['0.05', '12.345', '700'])
  expect(majorUnits(Number.MAX_SAFE_INTEGER, 2)).toBe('90071992547409.91')
})

test("times are told by the practice's clock, and in UTC where a country has several", () => {
  const time = new Date('2026-11-22T15:05:00Z')
  const told = (locale: string, country: string) => plain(formatTime(time, { locale, country }))
  expect(told('de-DE', 'DE')).toBe('22. November 2026 um 16:05 MEZ')
  expect(told('en-GB', 'GB')).toBe('22 November 2026 at 15:05 GMT')
  expect(told('fr-FR', 'FR')).toMatch(/^22 novembre 2026 à 16:05 /)
  expect(told('nl-NL', 'NL')).toMatch(/^22 november 2026 om 16:05 /)
  expect(told('en-NZ', 'NZ')).toMatch(/^23 November 2026 at 4:05 am /)
  expect(told('en-US', 'US')).toBe('November 22, 2026 at 3:05 PM UTC')
})

test('countries have their names in the language of the page', () => {
  expect(countryName('DE', { language: 'fr' })).toBe('Allemagne')
})
