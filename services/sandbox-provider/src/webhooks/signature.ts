import { createHmac } from 'node:crypto'

/**
 * Returns Stripe's signature header: for each secret the HMAC-SHA256 of the time, a dot and the raw body.
 *
 * @param now time of the signature; a receiver refuses it five minutes later
 */
export function signatureHeader(body: string, secrets: readonly string[], now: Date): string {
  const time = Math.floor(now.getTime() / 1000)
  const signatures = secrets.map((secret) => createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'))
  return [`t=${time}`, ...signatures.map((signature) => `v1=${signature}`)].join()
}
