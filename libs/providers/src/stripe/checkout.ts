import type Stripe from 'stripe'
import type { ProviderCheckout } from '../port.ts'
import { minorUnits } from './amounts.ts'

type Session = Stripe.Checkout.Session

/**
 * Maps a checkout session, with its payment intent and latest charge if expanded, to the port's checkout. `dispute` must be
 * read separately: the charge only says that there was one. Throws ProviderRefused for a currency that we do not know.
 */
export function toProviderCheckout(session: Session, dispute: ProviderCheckout['dispute'] = 'none'): ProviderCheckout {
  const currency = (session.currency ?? '').toUpperCase()
  const intent = expanded(session.payment_intent)
  const charge = expanded(intent?.latest_charge)
  const status = pageStatus(session.status)
  const paymentStatus = moneyStatus(session, intent)
  const error = intent?.last_payment_error
  return {
    id: session.id,
    status,
    paymentStatus,
    currency,
    amountTotal: minorUnits(session.amount_total ?? 0, currency),
    amountRefunded: minorUnits(charge?.amount_refunded ?? 0, currency),
    tipAmount: minorUnits(intent?.amount_details?.tip?.amount ?? 0, currency),
    dispute,
    lastError: error ? { code: error.code, declineCode: error.decline_code, message: error.message } : undefined,
    paymentIntentId: idOf(session.payment_intent),
    chargeId: idOf(intent?.latest_charge),
    paidAt: paymentStatus === 'paid' && charge ? new Date(charge.created * 1000) : undefined,
    url: status === 'open' ? (session.url ?? undefined) : undefined,
    clientSecret: status === 'open' ? (session.client_secret ?? undefined) : undefined,
    expiresAt: new Date(session.expires_at * 1000),
  }
}

/** Returns the id of the session's charge if it was disputed. */
export function disputedCharge(session: Session): string | undefined {
  const charge = expanded(expanded(session.payment_intent)?.latest_charge)
  return charge?.disputed ? charge.id : undefined
}

/** Maps a dispute's status. An inquiry counts as a dispute; an inquiry that was closed counts as won. */
export function disputeOutcome(dispute: Stripe.Dispute | undefined): ProviderCheckout['dispute'] {
  switch (dispute?.status) {
    case undefined:
      return 'none'
    case 'lost':
      return 'lost'
    case 'won':
    case 'warning_closed':
    case 'prevented':
      return 'won'
    default:
      return 'open'
  }
}

function pageStatus(status: Session['status']): ProviderCheckout['status'] {
  if (status === 'complete') return 'complete'
  return status === 'expired' ? 'expired' : 'open'
}

/** Reads the intent as well, because the session may lag behind it. There is no intent before the first attempt to pay. */
function moneyStatus(session: Session, intent: Stripe.PaymentIntent | undefined): ProviderCheckout['paymentStatus'] {
  if (session.payment_status !== 'unpaid' || intent?.status === 'succeeded') return 'paid'
  if (intent?.status === 'canceled') return 'cancelled'
  if (intent?.status === 'processing' || intent?.status === 'requires_capture') return 'processing'
  if (session.status !== 'complete') return 'unpaid'
  // A delayed method that failed goes back to requires_payment_method; the customer has left, so nobody tries again.
  return intent?.status === 'requires_payment_method' ? 'failed' : 'processing'
}

function expanded<T extends object>(value: T | string | null | undefined): T | undefined {
  return typeof value === 'object' && value !== null ? value : undefined
}

function idOf(value: { id: string } | string | null | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.id
}
