import { problem } from '@frontdesk/problems'
import { checkJson } from './json-bounds.ts'

/**
 * Returns the value of a JSON request body; undefined if it is empty. Throws `malformed_json` if it is not JSON in UTF-8, and
 * `malformed_request` if it exceeds `jsonBounds`, has a `__proto__` member, or a character that Postgres cannot store.
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.byteLength === 0) return undefined
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw problem('malformed_json', 'The body is not valid UTF-8.')
  }
  checkJson(bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw problem('malformed_json')
  }
}
