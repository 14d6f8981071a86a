import { ProviderRefused } from '../errors.ts'

// On a card statement stands PREFIX* SUFFIX, 22 characters in all: the prefix is the account's, the suffix the payment's
// (docs.stripe.com/get-started/account/statement-descriptors; reference payments.md 2a).

const longest = 22
const longestPrefix = 10
const separator = '* '.length
const refusedCharacters = /[<>\\'"*]/
/** Latin letters (Basic Latin, Latin-1 and Latin Extended), digits, and the printable rest of ASCII. */
const latin = /^[\x20-\x7e\u00c0-\u024f]*$/
const letter = /[A-Za-z\u00c0-\u024f]/

/** Says what the provider refuses in a statement descriptor, or nothing. Over 22 characters is the schema's matter (400). */
export function statementDescriptorFault(text: string): string | undefined {
  if (refusedCharacters.test(text)) return 'must not contain < > \\ \' " *'
  if (!latin.test(text)) return 'must be in Latin characters'
  if (!letter.test(text)) return 'must contain a letter'
  return undefined
}

/** Throws ProviderRefused `statement_descriptor_refused` for characters that the provider refuses. */
export function checkStatementDescriptor(text: string) {
  const fault = statementDescriptorFault(text)
  if (fault === undefined) return
  throw new ProviderRefused('statement_descriptor_refused', `the statement descriptor ${fault}`, {
    faults: [{ pointer: '/StatementDescriptor', detail: fault }],
  })
}

/**
 * What of a payment's descriptor is sent after the account's prefix; the longest prefix is assumed where it is not known.
 * Nothing where no letter would be left.
 */
export function statementDescriptorSuffix(descriptor: string, prefix: string | undefined): string | undefined {
  const room = longest - separator - (prefix?.length ?? longestPrefix)
  const suffix = descriptor.trim().slice(0, room).trim()
  return letter.test(suffix) ? suffix : undefined
}

/** The account-wide descriptors from the practice's name; absent where too little Latin text is left of it. */
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
