import { createHmac, sign, type KeyObject } from 'node:crypto'

/**
 * The `webhook-signature` header of Standard Webhooks 1.0.0 over `id.timestamp.payload`, one signature for each key, separated by
 * spaces: HMAC-SHA256 (`v1`) of a secret, Ed25519 (`v1a`) of a private key.
 *
 * @param timestamp whole seconds
 */
export function signatureOf(keys: readonly KeyObject[], id: string, timestamp: number, payload: Buffer): string {
  const head = `${id}.${timestamp}.`
  return keys
    .map((key) => {
      if (key.type === 'secret') return `v1,${createHmac('sha256', key).update(head).update(payload).digest('base64')}`
      return `v1a,${sign(null, Buffer.concat([Buffer.from(head), payload]), key).toString('base64')}`
    })
    .join(' ')
}
