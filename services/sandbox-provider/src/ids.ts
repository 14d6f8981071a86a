import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// The largest multiple of 62 in a byte. Bytes above it would make the first characters of the alphabet likelier.
const fairBytes = 248

// A system call for each id would cost more than all the rest of making it.
const pool = Buffer.alloc(4_096)
let used = pool.length

/** Returns a random id in Stripe's form: a prefix that names the kind, then `length` letters and digits. */
export function newId(prefix: string, length: number): string {
  let id = prefix
  while (id.length < prefix.length + length) {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const byte = pool[used++] ?? fairBytes
    if (byte < fairBytes) id += alphabet[byte % alphabet.length]
  }
  return id
}
