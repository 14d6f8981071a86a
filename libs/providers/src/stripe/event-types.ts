import type Stripe from 'stripe'

type EventType = Stripe.WebhookEndpointCreateParams.EnabledEvent

/**
 * The event types that our services apply, by the service that receives them. An endpoint at Stripe must have exactly
 * these: a missing one delays what it tells until the next check, another one is stored and changes nothing.
 */
export const eventTypes = {
  payments: [
    'checkout.session.completed',
    'checkout.session.async_payment_succeeded',
    'checkout.session.async_payment_failed',
    'checkout.session.expired',
    'payment_intent.succeeded',
    'payment_intent.processing',
    'payment_intent.payment_failed',
    'payment_intent.canceled',
    'charge.refunded',
    'refund.created',
    'refund.updated',
    'refund.failed',
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.closed',
  ],
  accounts: ['account.updated', 'account.application.deauthorized'],
} as const satisfies Record<string, readonly EventType[]>

/** A service that receives webhooks of the provider; also the last part of its address. */
export type Receiver = keyof typeof eventTypes
