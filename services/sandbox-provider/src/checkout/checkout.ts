import type { Charge, CheckoutSession, PaymentIntent } from '../db.ts'

/** A checkout session, with its payment once the customer has tried to pay. */
export interface Checkout {
  session: CheckoutSession
  intent: PaymentIntent | undefined
  /** the latest attempt to pay */
  charge: Charge | undefined
}

/** An event of a checkout, and the object that it shows as it is after the change. */
export interface CheckoutEvent {
  type: string
  subject: 'session' | 'intent' | 'charge' | 'dispute'
}

/** The checkout after a command, and its events. */
export interface CheckoutChange {
  next: Checkout
  events: CheckoutEvent[]
}
