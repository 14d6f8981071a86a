import { eventTypes, type DataOfEvents } from './generated/events.ts'
import type { Envelope } from './generated/schemas.ts'

type EventType = keyof DataOfEvents
/** Envelopes whose `type` tells the type of `data`. */
type EventOf<Type extends EventType> = {
  [T in Type]: Omit<Envelope, 'type' | 'data'> & { type: T; data: DataOfEvents[T] }
}[Type]

/** Every event that a subscription can get from Frontdesk itself. */
export type FrontdeskEvent = EventOf<EventType>
/** A delivered outcome of a payment. */
export type PaymentEvent = EventOf<Extract<EventType, `payment.${string}`>>
/** A delivered outcome of a refund. A refund that succeeded may still fail, days later. */
export type RefundEvent = EventOf<Extract<EventType, `refund.${string}`>>
/** A delivered event of a dispute: a customer has turned to the bank. */
export type DisputeEvent = EventOf<Extract<EventType, `dispute.${string}`>>
/** A delivered change of the status of a payment provider account. */
export type AccountEvent = EventOf<Extract<EventType, `account.${string}`>>

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
 * Rejects with WebhookVerificationError.
 */
export async function verifyWebhook({ body, headers, secret }: ReceivedWebhook): Promise<{
  id: string
  event: FrontdeskEvent | Envelope
}> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '')
  const id = header('webhook-id')
  try {
    await verify({ id, timestamp: header('webhook-timestamp'), signatures: header('webhook-signature'), text, secret })
    return { id, event: JSON.parse(text) as Envelope }
  } catch (error) {
    throw new WebhookVerificationError(error)
  }
}

interface SignedText {
  id: string
  /** Seconds since 1970. */
  timestamp: string
  /** Each with its version, with spaces in between. */
  signatures: string
  text: string
  secret: string
}

const toleranceSeconds = 5 * 60

/** The names of the kinds of keys, here and in Web Crypto. */
const kinds = [
  { prefix: 'whsec_', version: 'v1', algorithm: { name: 'HMAC', hash: 'SHA-256' } },
  { prefix: 'whpk_', version: 'v1a', algorithm: { name: 'Ed25519' } },
] as const

/** Checks with Web Crypto, which every platform has, and which compares in constant time. Throws if nothing matches. */
async function verify({ id, timestamp, signatures, text, secret }: SignedText): Promise<void> {
  const kind = kinds.find(({ prefix }) => secret.startsWith(prefix))
  if (kind === undefined) throw new Error('the secret begins neither with whsec_ nor with whpk_')
  if (id === '' || signatures === '' || !/^\d+$/.test(timestamp))
    throw new Error('a header of the signature is missing')
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new Error('the timestamp is too far off')
  const bytes = fromBase64(secret.slice(kind.prefix.length))
  const key = await crypto.subtle.importKey('raw', bytes, kind.algorithm, false, ['verify'])
  const content = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',')
    if (version !== kind.version) continue
    if (await crypto.subtle.verify(kind.algorithm, key, fromBase64(value), content)) return
  }
  throw new Error('no signature matches')
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Returns whether an event is one of Frontdesk's own, so that its `type` tells its data. Others are of external systems. */
export function isFrontdeskEvent(event: FrontdeskEvent | Envelope): event is FrontdeskEvent {
  return eventTypes.some((known) => known === event.type)
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

function isOneOf(prefix: string, event: FrontdeskEvent | Envelope): boolean {
  return event.type.startsWith(prefix) && isFrontdeskEvent(event)
}
