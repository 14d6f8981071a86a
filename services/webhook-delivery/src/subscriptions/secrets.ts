import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import type { WebhookHeader } from '@frontdesk/contracts'
import type { KeyRing } from '@frontdesk/service/encryption'

const prefix = 'whsec_'

/** Makes a signing secret: 32 random bytes in the form of Standard Webhooks. */
export function newSigningSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

/** The key object of a signing secret: an HMAC with raw bytes costs five times as much (13 us, not 2.4). */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(secret.slice(prefix.length), 'base64')
}

const secretContext = (id = '') => `subscription ${id} secret`
const headersContext = (id = '') => `subscription ${id} headers`

/** The encrypted columns of the table, for a new master key. */
export const encryptedSettings = [
  { column: 'encrypted_secret', contextOf: secretContext },
  { column: 'encrypted_previous_secret', contextOf: secretContext },
  { column: 'encrypted_headers', contextOf: headersContext },
].map(({ column, contextOf }) => ({
  table: 'subscriptions',
  keys: { id: 'uuid' },
  column,
  context: ([id]: readonly string[]) => contextOf(id),
}))

/** Encrypts and decrypts the secrets of subscriptions; each value is bound to its subscription. */
export function subscriptionCipher(ring: KeyRing) {
  return {
    encryptSecret: (id: string, secret: string) => ring.encrypt(secret, secretContext(id)),
    decryptSecret: (id: string, encrypted: string) => ring.decrypt(encrypted, secretContext(id)),
    encryptHeaders: (id: string, headers: readonly WebhookHeader[]) =>
      ring.encrypt(JSON.stringify(headers), headersContext(id)),
    decryptHeaders: (id: string, encrypted: string) =>
      JSON.parse(ring.decrypt(encrypted, headersContext(id))) as WebhookHeader[],
  }
}
export type SubscriptionCipher = ReturnType<typeof subscriptionCipher>
