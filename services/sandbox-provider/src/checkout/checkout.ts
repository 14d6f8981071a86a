import type { Charge, CheckoutSession, PaymentIntent } from '../db.ts'

/** A checkout session with the payment that its customer has begun, if any. */
export interface Checkout {
  session: CheckoutSession
  intent: PaymentIntent | undefined
  /** the latest attempt */
  charge: Charge | undefined
}

/** Which object an event tells of, as it is after the change. */
export interface CheckoutEvent {
  type: string
  subject: 'session' | 'intent' | 'charge' | 'dispute'
}

/** What a command makes of a checkout. */
export interface CheckoutChange {
  next: Checkout
  events: CheckoutEvent[]
}
