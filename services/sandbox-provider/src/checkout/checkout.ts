import type { ChargeEvent } from '../charges/charge.ts'
import type { Charge, CheckoutSession, Dispute, PaymentIntent, Refund } from '../db.ts'

/** A checkout session, with its payment once the customer has tried to pay. */
export interface Checkout {
  session: CheckoutSession
  intent: PaymentIntent | undefined
  /** the latest attempt to pay */
  charge: Charge | undefined
  /** the refunds of the charge, oldest first */
  refunds: readonly Refund[]
  /** the disputes about the charge, oldest first */
  disputes: readonly Dispute[]
}

/** An event of a checkout, and the object that it shows as it is after the change. */
export type CheckoutEvent = { type: string; subject: 'session' | 'intent' } | ChargeEvent

/** The checkout after a command, and its events. */
export interface CheckoutChange {
  next: Checkout
  events: CheckoutEvent[]
}
