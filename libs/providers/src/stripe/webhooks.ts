import { problem } from '@frontdesk/problems'
import Stripe from 'stripe'
import type { ProviderEvent } from '../port.ts'

/** How far a signature's time may lie in the past or the future. The SDK would accept any future time. */
const toleranceSeconds = 300

/**
 * Checks `Stripe-Signature` over the raw body with each secret (there are two during a rotation) and returns the event.
 * Throws the problem `provider_signature_invalid`, or `malformed_json` if a signed body is not an event.
 */
export function verifyWebhook(
  rawBody: Buffer,
  signature: string | undefined,
  secrets: readonly string[],
  now: Date,
): ProviderEvent {
  if (
    signature === undefined ||
    isAhead(signature, now) ||
    !secrets.some((secret) => signedBy(secret, rawBody, signature, now))
  ) {
    throw problem('provider_signature_invalid')
  }
  return parseWebhook(rawBody.toString('utf8'))
}

/** Parses an event whose signature was checked. Throws the problem `malformed_json`. */
export function parseWebhook(payload: string): ProviderEvent {
  const event = eventOf(payload)
  const object = event.data.object as {
    id?: string
    object?: string
    payment_intent?: string | { id: string } | null
    metadata?: Record<string, string> | null
  }
  const intent = object.object === 'payment_intent' ? object.id : object.payment_intent
  return {
    id: event.id,
    type: event.type,
    created: new Date(event.created * 1000),
    livemode: event.livemode,
    account: event.account,
    objectId: object.id ?? event.account ?? event.id,
    objectType: object.object ?? 'unknown',
    paymentIntentId: typeof intent === 'object' ? intent?.id : intent,
    recordId: object.metadata?.['recordId'],
  }
}

function eventOf(payload: string): Stripe.Event {
  try {
    const event = Stripe.webhooks.constructEventWithoutVerification(payload)
    if (typeof event?.id === 'string' && typeof event.type === 'string' && typeof event.data?.object === 'object')
      return event
  } catch (cause) {
    throw problem('malformed_json', { detail: 'The body is not an event of the provider.', cause })
  }
  throw problem('malformed_json', 'The body is not an event of the provider.')
}

function signedBy(secret: string, rawBody: Buffer, signature: string, now: Date): boolean {
  const verifier = Stripe.webhooks.signature
  if (verifier === null) throw new Error('the SDK cannot verify signatures')
  try {
    return verifier.verifyHeader(rawBody, signature, secret, toleranceSeconds, undefined, now.getTime())
  } catch {
    return false
  }
}

/** Returns whether a time in the header lies too far in the future, or no time can be read. */
function isAhead(signature: string, now: Date): boolean {
  const times = [...signature.matchAll(/(?:^|,)\s*t=(\d+)/g)].map((match) => Number(match[1]))
  return times.length === 0 || times.some((seconds) => seconds > now.getTime() / 1000 + toleranceSeconds)
}
