import type { Language } from '../language.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { fr } from './fr.ts'
import { nl } from './nl.ts'

/** The texts of all pages in one language. English has the table's form: a text that another language lacks does not compile. */
export type Texts = typeof en

/** The texts of the pages, in each language. */
export const texts: Record<Language, Texts> = { en, de, fr, nl }
