import { largestInt64 } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import { checkJson } from './json-bounds.ts'

/**
 * Returns the value of a JSON request body; undefined if it is empty. A number that is an int64 stays one. Throws `malformed_json`
 * if it is not JSON in UTF-8, and `malformed_request` if it exceeds `jsonBounds`, has a `__proto__` member, or a character that
 * Postgres cannot store.
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.byteLength === 0) return undefined
  const text = decoded(bytes)
  const roundedUp = checkJson(bytes)
  try {
    return JSON.parse(roundedUp.length === 0 ? text : decoded(keptBelow(bytes, roundedUp)))
  } catch {
    throw problem('malformed_json')
  }
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw problem('malformed_json', 'The body is not valid UTF-8.')
  }
}

/** Returns the bytes with `largestInt64`, which has as many digits, at these places. */
function keptBelow(bytes: Buffer, places: readonly number[]): Buffer {
  const kept = Buffer.from(bytes)
  for (const at of places) kept.set(below, at)
  return kept
}
const below = Buffer.from(String(BigInt(largestInt64)))
