import type Stripe from 'stripe'
import type { ProviderCheckout, ProviderDispute } from '../port.ts'
import { currencyOf, minorUnits } from './amounts.ts'
import { meaning, text, time } from './answers.ts'

type Session = Stripe.Checkout.Session

/**
 * Maps a checkout session, with its payment intent and latest charge if expanded, to the port's checkout. Refunds and dispute
 * must be read separately: the charge only says that there were some. Throws UnreadableAnswer.
 */
export function toProviderCheckout(session: Session): ProviderCheckout {
  const currency = currencyOf(session.currency)
  const intent = expanded(session.payment_intent)
  const charge = expanded(intent?.latest_charge)
  const status = meaning(pageStatuses, session.status, 'the status of the session')
  const paymentStatus = moneyStatus(session, intent)
  const error = intent?.last_payment_error
  return {
    id: text(session.id, 'the id of the session'),
    status,
    paymentStatus,
    currency,
    amountTotal: minorUnits(session.amount_total, currency),
    feeAmount: minorUnits(charge?.application_fee_amount ?? 0, currency),
    tipAmount: minorUnits(intent?.amount_details?.tip?.amount ?? 0, currency),
    refunds: [],
    lastError: error ? { code: error.code, declineCode: error.decline_code, message: error.message } : undefined,
    paymentIntentId: idOf(session.payment_intent),
    chargeId: idOf(intent?.latest_charge),
    paidAt: paymentStatus === 'paid' && charge ? time(charge.created, 'the time of the charge') : undefined,
    url: status === 'open' ? (session.url ?? undefined) : undefined,
    clientSecret: status === 'open' ? (session.client_secret ?? undefined) : undefined,
    expiresAt: time(session.expires_at, 'the expiry of the session'),
  }
}

/** Returns the id of the session's charge if it was disputed. */
export function disputedCharge(session: Session): string | undefined {
  const charge = expanded(expanded(session.payment_intent)?.latest_charge)
  return charge?.disputed ? charge.id : undefined
}

/** Returns the id of the session's payment intent if its charge was refunded, or is known to have refunds. */
export function refundedIntent(session: Session, hasRefunds: boolean): string | undefined {
  const charge = expanded(expanded(session.payment_intent)?.latest_charge)
  const isRefunded = charge !== undefined && charge.amount_refunded > 0
  return isRefunded || hasRefunds ? idOf(session.payment_intent) : undefined
}

/** Maps a dispute. An inquiry counts as a dispute; an inquiry that was closed counts as won. Throws UnreadableAnswer. */
export function toProviderDispute(dispute: Stripe.Dispute): ProviderDispute {
  const currency = currencyOf(dispute.currency)
  return {
    id: text(dispute.id, 'the id of the dispute'),
    status: disputeStatus(dispute.status),
    amount: minorUnits(dispute.amount, currency),
    currency,
    reason: dispute.reason,
  }
}

function disputeStatus(status: Stripe.Dispute.Status): ProviderDispute['status'] {
  switch (status) {
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

const pageStatuses = { open: 'open', complete: 'complete', expired: 'expired' } as const

/** Reads the intent as well, because the session may lag behind it. There is no intent before the first attempt to pay. */
function moneyStatus(session: Session, intent: Stripe.PaymentIntent | undefined): ProviderCheckout['paymentStatus'] {
  const isPaid = meaning(sessionSaysPaid, session.payment_status, 'the payment status of the session')
  if (isPaid || intent === undefined) return isPaid ? 'paid' : session.status === 'complete' ? 'processing' : 'unpaid'
  const money = meaning(moneyStatuses, intent.status, 'the status of the payment intent')
  if (money !== 'unpaid' || session.status !== 'complete') return money
  // A delayed method that failed goes back to requires_payment_method; the customer has left, so nobody tries again.
  return intent.status === 'requires_payment_method' ? 'failed' : 'processing'
}

const sessionSaysPaid = { paid: true, no_payment_required: true, unpaid: false } as const

const moneyStatuses = {
  succeeded: 'paid',
  canceled: 'cancelled',
  processing: 'processing',
  requires_capture: 'processing',
  requires_action: 'unpaid',
  requires_confirmation: 'unpaid',
  requires_payment_method: 'unpaid',
} as const satisfies Record<Stripe.PaymentIntent.Status, ProviderCheckout['paymentStatus']>

function expanded<T extends object>(value: T | string | null | undefined): T | undefined {
  return typeof value === 'object' && value !== null ? value : undefined
}

function idOf(value: { id: string } | string | null | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.id
}
