import { randomBytes } from 'node:crypto'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns random base62 characters, uniformly distributed: 5.95 bits each. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 = 4 x 62: larger bytes would make the first characters of the alphabet more likely.
      if (byte < 248 && text.length < length) text += base62.charAt(byte % 62)
    }
  }
  return text
}

/** Returns a new slug: `s` for a site or `o` for an organisation, and 11 random characters (65 bits). */
export function newSlug(kind: 's' | 'o'): string {
  return kind + randomBase62(11)
}
