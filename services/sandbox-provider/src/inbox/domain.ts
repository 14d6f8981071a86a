import { createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** A request that arrived at an inbox. */
export interface ReceivedWebhook {
  number: number
  receivedAt: Date
  headers: Record<string, string>
  body: Buffer
  /** The status that it was answered with. */
  answer: number
  /** `inbox`, or the address of the listener that it was forwarded to. */
  answeredBy: string
  /** Why the listener gave no answer. */
  error: string | null
}

/** The result of checking a request's signature. `unchecked`: nobody has told the inbox a secret. */
export type SignatureCheck = 'valid' | 'invalid' | 'too old' | 'unsigned' | 'unchecked'

/** The requests with one `webhook-id`: a webhook and its retries. */
export interface Attempts {
  /** The `webhook-id`; null for a request without one. */
  id: string | null
  /** Newest first, at least one. */
  requests: readonly [ReceivedWebhook, ...ReceivedWebhook[]]
}

/** Signing secrets and public keys, as the API returns them. The slash is escaped for browsers, which read patterns by stricter rules. */
export const secretPattern = '^(whsec|whpk)_[A-Za-z0-9+\\/]{16,400}={0,2}$'

const toleranceSeconds = 5 * 60

/**
 * Checks a request's signature (Standard Webhooks 1.0) by each of the secrets. The age of its timestamp is that at its arrival, so
 * that an inbox which is told the secret later comes to the same result.
 */
export function checkSignature(
  { headers, body, receivedAt }: ReceivedWebhook,
  secrets: readonly string[],
): SignatureCheck {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers
  if (signatures === '' || id === '' || !/^\d{1,12}$/.test(timestamp)) return 'unsigned'
  if (secrets.length === 0) return 'unchecked'
  const text = body.toString('utf8')
  const isSigned = secrets.some((secret) =>
    signatures.split(' ').some((signature) => isSignedBy(secret, signature, { id, timestamp, text })),
  )
  if (!isSigned) return 'invalid'
  return Math.abs(receivedAt.getTime() / 1000 - Number(timestamp)) > toleranceSeconds ? 'too old' : 'valid'
}

interface Signed {
  id: string
  timestamp: string
  text: string
}

function isSignedBy(secret: string, signature: string, { id, timestamp, text }: Signed): boolean {
  const [version, value = ''] = signature.split(',')
  if (secret.startsWith('whpk_')) {
    if (version !== 'v1a') return false
    const x = Buffer.from(secret.slice('whpk_'.length), 'base64').toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, Buffer.from(`${id}.${timestamp}.${text}`), key, Buffer.from(value, 'base64'))
  }
  const expected = Buffer.from(new Webhook(secret).sign(id, new Date(Number(timestamp) * 1000), text))
  const given = Buffer.from(signature)
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** Groups requests, newest first, by their `webhook-id`; a webhook is where its newest request is. */
export function groupAttempts(requests: readonly ReceivedWebhook[]): Attempts[] {
  const groups = new Map<string, [ReceivedWebhook, ...ReceivedWebhook[]]>()
  for (const request of requests) {
    const key = request.headers['webhook-id'] ?? `request ${request.number}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [request])
    else group.push(request)
  }
  return [...groups.values()].map((group) => ({ id: group[0].headers['webhook-id'] ?? null, requests: group }))
}

/** Returns type and subject of the CloudEvent in a body; both are absent in anything else. */
export function eventOf(body: Buffer): { type?: string; subject?: string } {
  try {
    const event = JSON.parse(body.toString('utf8')) as { type?: unknown; subject?: unknown } | null
    return {
      ...(typeof event?.type === 'string' && { type: event.type }),
      ...(typeof event?.subject === 'string' && { subject: event.subject }),
    }
  } catch {
    return {}
  }
}

/** Whether an address may be a listener: plain HTTP on this machine, with a port. */
export function isListenerAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, port, username, password } = new URL(address)
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
  return protocol === 'http:' && isHere && port !== '' && username === '' && password === ''
}
