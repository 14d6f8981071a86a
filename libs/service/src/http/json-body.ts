import { problem } from '@frontdesk/problems'

const deepest = 32

/**
 * Returns the value of a JSON request body; undefined if it is empty. Throws `malformed_json` if it is not JSON in UTF-8,
 * nests deeper than 32, has a `__proto__` member, or has a NUL character, which Postgres cannot store.
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.byteLength === 0) return undefined
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw problem('malformed_json', 'The body is not valid UTF-8.')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw problem('malformed_json')
  }
  check(value, 0)
  return value
}

function check(value: unknown, depth: number): void {
  if (depth > deepest) throw problem('malformed_json', `The body nests deeper than ${deepest}.`)
  if (typeof value === 'string') {
    if (value.includes('\u0000')) throw problem('malformed_json', 'A string holds a NUL character.')
    // Half of a surrogate pair has no UTF-8 form, so it can be neither stored nor sent.
    if (!value.isWellFormed()) throw problem('malformed_json', 'A string holds half of a surrogate pair.')
  } else if (Array.isArray(value)) {
    for (const item of value) check(item, depth + 1)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (name === '__proto__') throw problem('malformed_json', 'A member is named __proto__.')
      check(member, depth + 1)
    }
  }
}
