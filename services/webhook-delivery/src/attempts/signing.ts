import { createHmac, type KeyObject } from 'node:crypto'

/**
 * The `webhook-signature` header of Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.payload`, one signature for
 * each key, separated by spaces.
 *
 * @param timestamp whole seconds
 */
export function signatureOf(keys: readonly KeyObject[], id: string, timestamp: number, payload: Buffer): string {
  const head = `${id}.${timestamp}.`
  return keys.map((key) => `v1,${createHmac('sha256', key).update(head).update(payload).digest('base64')}`).join(' ')
}
