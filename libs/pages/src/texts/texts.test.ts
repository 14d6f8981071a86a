import { expect, test } from 'vitest'
import { html, type Html } from '../html.ts'
import type { Language } from '../language.ts'
import { texts } from './index.ts'

/** Returns every text of a language by its place, with a letter for each value that is put into it. */
function lines(language: Language): Array<[place: string, text: string]> {
  const walk = (value: unknown, place: string): Array<[string, string]> => {
    if (typeof value === 'string') return [[place, value]]
    if (typeof value === 'function') return [[place, textOf(value as (...values: Html[]) => string | Html)]]
    return Object.entries(value as object).flatMap(([name, inner]) => walk(inner, `${place}.${name}`))
  }
  return walk(texts[language], language)
}

function textOf(write: (...values: Html[]) => string | Html): string {
  const written = write(...['A', 'B', 'C'].map(asValue))
  return typeof written === 'string' ? written : written.markup
}

/** Both kinds of texts take it: as markup, and as text. */
const asValue = (letter: string): Html => Object.assign(html`${letter}`, { toString: () => letter })

const faults = (language: Language, pattern: RegExp) => lines(language).filter(([, text]) => pattern.test(text))

test.each(['en', 'de', 'fr', 'nl'] as const)(
  '%s has no typewriter quotes, no doubled blanks and no dots in a row',
  (language) => {
    expect(lines(language).length).toBeGreaterThan(100)
    expect(faults(language, /['"]| {2}|\.\.|^ *$|undefined|\[object/)).toEqual([])
  },
)

test.each(['en', 'de', 'nl'] as const)('%s has no blank before a punctuation mark', (language) => {
  expect(faults(language, /\s[,.:;?!]/)).toEqual([])
})

test('French has a blank that does not break before a colon, a narrow one before the other tall marks, and none before the rest', () => {
  expect(faults('fr', /(?<!\u00a0):(?!\/\/)|(?<!\u202f)[;?!»]|«(?!\u202f)|\s[,.]/)).toEqual([])
})

test('payers and practices are addressed formally', () => {
  expect(faults('de', /\b([Dd]u|[Dd]ich|[Dd]ir|[Dd]ein\w*|[Ee]uch|[Ee]ure?\w*)\b/)).toEqual([])
  expect(faults('fr', /(?<![\p{L}’])(tu|te|toi|ton|ta|tes)(?!\p{L})|(?<!\p{L})t’/iu)).toEqual([])
  expect(faults('nl', /\b(je|jij|jou|jouw|jullie)\b/i)).toEqual([])
})

// In French 1,50 € is singular, and a participle shows the gender of the person. The page knows neither.
test('no French sentence depends on the amount or on who reads it', () => {
  expect(faults('fr', /\b(les|des) [AB]\b|\bavez (pas )?été débité/i)).toEqual([])
})
