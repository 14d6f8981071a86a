import { ProviderRefused } from '../errors.ts'

// A card statement shows PREFIX* SUFFIX, at most 22 characters: the account's prefix and the payment's suffix
// (docs.stripe.com/get-started/account/statement-descriptors).

const longest = 22
const longestPrefix = 10
const separator = '* '.length
const refusedCharacters = /[<>\\'"*]/
/** Printable ASCII, and the letters of Latin-1 and Latin Extended. */
const latin = /^[\x20-\x7e\u00c0-\u024f]*$/
const letter = /[A-Za-z\u00c0-\u024f]/

/** Returns why the provider would refuse a statement descriptor, or undefined. The schema checks its length (400). */
export function statementDescriptorFault(text: string): string | undefined {
  if (refusedCharacters.test(text)) return 'must not contain < > \\ \' " *'
  if (!latin.test(text)) return 'must be in Latin characters'
  if (!letter.test(text)) return 'must contain a letter'
  return undefined
}

/** Checks the characters of a statement descriptor. Throws ProviderRefused `statement_descriptor_refused`. */
export function checkStatementDescriptor(text: string) {
  const fault = statementDescriptorFault(text)
  if (fault === undefined) return
  throw new ProviderRefused('statement_descriptor_refused', `the statement descriptor ${fault}`, {
    faults: [{ pointer: '/StatementDescriptor', detail: fault }],
  })
}

/**
 * Returns the part of a payment's descriptor that fits after the account's prefix, or undefined if no letter would be
 * left. An unknown prefix counts as the longest.
 */
export function statementDescriptorSuffix(descriptor: string, prefix: string | undefined): string | undefined {
  const room = longest - separator - (prefix?.length ?? longestPrefix)
  const suffix = descriptor.trim().slice(0, room).trim()
  return letter.test(suffix) ? suffix : undefined
}

/**
 * Returns what a card statement shows of a payment, `PREFIX* SUFFIX`; undefined if the account's prefix is not known, or the
 * payment has no suffix.
 */
export function cardStatementText(descriptor: string | undefined, prefix: string | undefined): string | undefined {
  const suffix = descriptor && statementDescriptorSuffix(descriptor, prefix)
  return prefix && suffix ? `${prefix}* ${suffix}` : undefined
}

/** Returns the account's descriptors, made from the practice's name; absent if too little Latin text is left of it. */
export function accountDescriptors(name: string): { descriptor?: string; prefix?: string } {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]|[<>\\'"*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const descriptor = plain.slice(0, longest).trim()
  const prefix = plain.slice(0, longestPrefix).trim()
  return {
    ...(descriptor.length >= 5 && letter.test(descriptor) ? { descriptor } : {}),
    ...(prefix.length >= 2 && letter.test(prefix) ? { prefix } : {}),
  }
}
