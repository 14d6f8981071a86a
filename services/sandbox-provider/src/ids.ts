import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// The largest multiple of 62 in a byte: what lies above would make the first letters likelier.
const fairBytes = 248

// Asking the system for every id costs more than all the rest of making it.
const pool = Buffer.alloc(4_096)
let used = pool.length

/** A random id as Stripe's are: a prefix that names the kind, then letters and digits. */
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
