import { createPublicKey, verify } from 'node:crypto'
import { publicEventTypes, type Envelope, type EventData } from '@frontdesk/contracts'
import { Webhook } from 'standardwebhooks'

type PublicEventType = (typeof publicEventTypes)[number]
/** Envelopes whose `type` tells the type of `data`. */
type EventOf<Type extends PublicEventType> = {
  [T in Type]: Omit<Envelope, 'type' | 'data'> & { type: T; data: EventData<T> }
}[Type]

/** A delivered outcome of a payment. */
export type PaymentEvent = EventOf<Extract<PublicEventType, `payment.${string}`>>
/** A delivered outcome of a refund. A refund that succeeded may still fail, days later. */
export type RefundEvent = EventOf<Extract<PublicEventType, `refund.${string}`>>
/** A delivered event of a dispute: a customer has turned to the bank. */
export type DisputeEvent = EventOf<Extract<PublicEventType, `dispute.${string}`>>
/** A delivered change of the status of a payment provider account. */
export type AccountEvent = EventOf<Extract<PublicEventType, `account.${string}`>>
/** Every event that a subscription can get from Frontdesk itself. */
export type FrontdeskEvent = PaymentEvent | RefundEvent | DisputeEvent | AccountEvent

/** Thrown if the signature is missing, wrong or too old. Answer 400 and do not use the body. */
export class WebhookVerificationError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'the signature does not match', { cause })
    this.name = 'WebhookVerificationError'
  }
}

export interface ReceivedWebhook {
  /** The body exactly as you received it, as bytes or text, before any parser has changed it. */
  body: Uint8Array | string
  /** The headers of the request: Node's, in lower case, or a `Headers` object. */
  headers: Record<string, string | string[] | undefined> | Headers
  /** The signing secret of your subscription (`whsec_…`), or its public key (`whpk_…`) if it is asymmetric. */
  secret: string
}

/**
 * Checks the signature of a delivery (Standard Webhooks 1.0, with 5 minutes of tolerance) and returns its event.
 * `id` is the same for every attempt: store it, and ignore a delivery whose id you have seen.
 *
 * Throws WebhookVerificationError.
 */
export function verifyWebhook({ body, headers, secret }: ReceivedWebhook): {
  id: string
  event: FrontdeskEvent | Envelope
} {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '')
  try {
    const signed = Object.fromEntries(signedHeaders.map((name) => [name, header(name)])) as SignedHeaders
    const isPublic = secret.startsWith(publicPrefix)
    const event = (
      isPublic ? verifyAsymmetric(secret, text, signed) : new Webhook(secret).verify(text, signed)
    ) as Envelope
    return { id: header('webhook-id'), event }
  } catch (error) {
    throw new WebhookVerificationError(error)
  }
}

const signedHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
type SignedHeaders = Record<(typeof signedHeaders)[number], string>
const publicPrefix = 'whpk_'
const toleranceSeconds = 5 * 60

/** Checks a `v1a` signature (Ed25519), of which the library of Standard Webhooks knows nothing. */
function verifyAsymmetric(publicKey: string, body: string, headers: SignedHeaders): unknown {
  const x = Buffer.from(publicKey.slice(publicPrefix.length), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (id === '' || !/^\d+$/.test(timestamp)) throw new Error('a header of the signature is missing')
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new Error('the timestamp is too far off')
  const content = Buffer.from(`${id}.${timestamp}.${body}`)
  const isSigned = signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',')
    return version === 'v1a' && verify(null, content, key, Buffer.from(value, 'base64'))
  })
  if (!isSigned) throw new Error('no signature matches')
  return JSON.parse(body)
}

/** Returns whether an event is one of the three outcomes of a payment, and narrows its type. */
export function isPaymentEvent(event: FrontdeskEvent | Envelope): event is PaymentEvent {
  return isOneOf('payment.', event)
}

/** Returns whether an event is one of the two outcomes of a refund, and narrows its type. */
export function isRefundEvent(event: FrontdeskEvent | Envelope): event is RefundEvent {
  return isOneOf('refund.', event)
}

/** Returns whether an event is about a dispute that was opened or closed, and narrows its type. */
export function isDisputeEvent(event: FrontdeskEvent | Envelope): event is DisputeEvent {
  return isOneOf('dispute.', event)
}

/** Returns whether an event tells of a new status of a payment provider account, and narrows its type. */
export function isAccountEvent(event: FrontdeskEvent | Envelope): event is AccountEvent {
  return isOneOf('account.', event)
}

function isOneOf(prefix: string, { type }: { type: string }): boolean {
  return type.startsWith(prefix) && publicEventTypes.some((known) => known === type)
}
