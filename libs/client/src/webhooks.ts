import type { Envelope, EventData } from '@frontdesk/contracts'
import { Webhook } from 'standardwebhooks'

type PaymentEventType = 'payment.succeeded' | 'payment.failed' | 'payment.cancelled'

/** A delivered payment event: the CloudEvents envelope, its data typed by its type. */
export type PaymentEvent = {
  [T in PaymentEventType]: Omit<Envelope, 'type' | 'data'> & { type: T; data: EventData<T> }
}[PaymentEventType]

/** The signature is missing, wrong or too old: answer 400 and do not look at the body. */
export class WebhookVerificationError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'the signature does not match', { cause })
    this.name = 'WebhookVerificationError'
  }
}

export interface ReceivedWebhook {
  /** The body exactly as received: bytes or text, never parsed and printed again. */
  body: Uint8Array | string
  /** The request's headers: Node's (in lower case) or a `Headers` object. */
  headers: Record<string, string | string[] | undefined> | Headers
  /** The subscription's signing secret (`whsec_…`). */
  secret: string
}

/**
 * Checks a delivery (Standard Webhooks 1.0: HMAC-SHA256 over id, timestamp and body; 5 minutes of tolerance) and returns
 * its event. `id` is the same for every attempt: keep it, and drop what you have seen.
 *
 * Throws WebhookVerificationError.
 */
export function verifyWebhook({ body, headers, secret }: ReceivedWebhook): {
  id: string
  event: PaymentEvent | Envelope
} {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '')
  try {
    const event = new Webhook(secret).verify(text, {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    }) as Envelope
    return { id: header('webhook-id'), event }
  } catch (error) {
    throw new WebhookVerificationError(error)
  }
}

/** Narrows an event to the three payment events. */
export function isPaymentEvent(event: PaymentEvent | Envelope): event is PaymentEvent {
  return event.type === 'payment.succeeded' || event.type === 'payment.failed' || event.type === 'payment.cancelled'
}
