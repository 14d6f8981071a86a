import type { Envelope, EventData } from '@frontdesk/contracts'
import { Webhook } from 'standardwebhooks'

type PaymentEventType = 'payment.succeeded' | 'payment.failed' | 'payment.cancelled'

/** A delivered payment event: a CloudEvents envelope whose `type` tells the type of `data`. */
export type PaymentEvent = {
  [T in PaymentEventType]: Omit<Envelope, 'type' | 'data'> & { type: T; data: EventData<T> }
}[PaymentEventType]

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
  /** The signing secret of your subscription (`whsec_…`). */
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

/** Returns whether an event is one of the three payment events, and narrows its type. */
export function isPaymentEvent(event: PaymentEvent | Envelope): event is PaymentEvent {
  return event.type === 'payment.succeeded' || event.type === 'payment.failed' || event.type === 'payment.cancelled'
}
