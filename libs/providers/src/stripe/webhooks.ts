import { problem } from '@frontdesk/problems'
import Stripe from 'stripe'
import type { PaidCheckout, ProviderEvent, WebhookReception, WebhookRequest } from '../port.ts'
import { currencyOf, minorUnits } from './amounts.ts'

/** How far a signature's time may lie in the past or the future. The SDK would accept any future time. */
const toleranceSeconds = 300

/**
 * Checks `Stripe-Signature` over the raw body with each secret (there are two during a rotation) and returns the event.
 * Throws the problem `provider_signature_invalid`, or `malformed_json` if a signed body is not an event.
 */
export function receiveWebhook(
  body: Buffer,
  headers: WebhookRequest['headers'],
  secrets: readonly string[],
  now: Date,
): WebhookReception {
  const signature = [headers['stripe-signature'] ?? []].flat().join(',')
  if (isAhead(signature, now) || !secrets.some((secret) => signedBy(secret, body, signature, now))) {
    throw problem('provider_signature_invalid')
  }
  return { events: [readEvent(body.toString('utf8'))] }
}

/** Reads an event from the body of a webhook that was checked. Throws the problem `malformed_json`. */
export function readEvent(body: string): ProviderEvent {
  const event = eventOf(body)
  const { object } = event.data
  return {
    id: event.id,
    type: event.type,
    created: new Date(event.created * 1000),
    livemode: event.livemode,
    account: event.account,
    objectId: object.id ?? event.account ?? event.id,
    objectType: object.object ?? 'unknown',
    paymentIntentId: intentOf(object),
    recordId: object.metadata?.recordId,
    paid: paidCheckout(object),
    kept: kept(event),
  }
}

/** The members of an event's object that are stored. Others hold client secrets, and names and addresses of patients. */
const keptMembers = new Set(
  'id object created status payment_intent charge payment_status currency amount amount_total amount_refunded'.split(
    ' ',
  ),
)

function kept({ id, type, created, livemode, account, data: { object } }: StripeEvent): string {
  const members = Object.entries(object).filter(([name, value]) => keptMembers.has(name) && !isExpanded(value))
  const { recordId, refundId } = object.metadata ?? {}
  const intent = intentOf(object)
  return JSON.stringify({
    id,
    object: 'event',
    type,
    created,
    livemode,
    account,
    data: { object: { ...Object.fromEntries(members), payment_intent: intent, metadata: { recordId, refundId } } },
  })
}

const isExpanded = (value: unknown): boolean => typeof value === 'object' && value !== null

function intentOf({ object, id, payment_intent: intent }: StripeEvent['data']['object']): string | undefined {
  if (object === 'payment_intent') return id
  return typeof intent === 'object' ? intent?.id : intent
}

/** The members of Stripe's events that we read. What else an object has depends on its kind. */
interface StripeEvent {
  id: string
  type: string
  created: number
  livemode: boolean
  account?: string
  data: {
    object: {
      id?: string
      object?: string
      payment_intent?: string | { id: string } | null
      metadata?: { recordId?: string; refundId?: string } | null
      payment_status?: string
      amount_total?: number | null
      currency?: string | null
    }
  }
}

function eventOf(body: string): StripeEvent {
  const detail = 'The body is not an event of the provider.'
  try {
    const event = Stripe.webhooks.constructEventWithoutVerification(body) as unknown
    if (isEvent(event)) return event
  } catch (cause) {
    throw problem('malformed_json', { detail, cause })
  }
  throw problem('malformed_json', detail)
}

function isEvent(event: unknown): event is StripeEvent {
  const { id, type, created, livemode, data } = (event ?? {}) as Partial<StripeEvent>
  const isWhole = typeof id === 'string' && typeof type === 'string' && Number.isInteger(created)
  return isWhole && typeof livemode === 'boolean' && typeof data?.object === 'object' && data.object !== null
}

/** Returns what a checkout session states if it says that it is paid. */
function paidCheckout(object: StripeEvent['data']['object']): PaidCheckout | undefined {
  if (object.object !== 'checkout.session' || object.payment_status !== 'paid' || object.id === undefined)
    return undefined
  try {
    const currency = currencyOf(object.currency)
    return { id: object.id, amountTotal: minorUnits(object.amount_total, currency), currency }
  } catch {
    // Without an amount it proves nothing; the provider will be asked.
    return undefined
  }
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
