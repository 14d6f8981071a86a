import type { ChargeCommand, ChargeIds } from '../charges/charge.ts'
import { decideCharge } from '../charges/domain.ts'
import { ImpossibleCheckout } from '../charges/impossible.ts'
import type { Charge, CheckoutSession, PaymentError, PaymentIntent } from '../db.ts'
import type { Checkout, CheckoutChange, CheckoutEvent } from './checkout.ts'

/** What a customer, a bank or the clock does to a checkout. */
export type CheckoutCommand =
  /** the customer pays the total, or what a discount, shipping or another currency on the page made of it */
  | { type: 'pay'; amount?: number | undefined; currency?: string | undefined }
  | { type: 'decline'; reason: DeclineReason }
  | { type: 'delay' }
  | { type: 'settle' }
  | { type: 'fail' }
  | { type: 'expire' }
  | ChargeCommand

export type DeclineReason = 'generic_decline' | 'insufficient_funds'

/** Ids for the objects that a change may create. The caller makes them, so that the rule stays pure. */
export interface CheckoutIds extends ChargeIds {
  intent: string
  intentSecret: string
  charge: string
  statementDescriptor: string
}

const declineMessages: Record<DeclineReason, string> = {
  generic_decline: 'Your card was declined.',
  insufficient_funds: 'Your card has insufficient funds.',
}

/**
 * Decides the state of a checkout after a command, and its events, in the order of Stripe.
 *
 * @throws ImpossibleCheckout
 */
export function decide(checkout: Checkout, command: CheckoutCommand, now: Date, ids: CheckoutIds): CheckoutChange {
  switch (command.type) {
    case 'pay': {
      const { session } = checkout
      const { amount: amountTotal = session.amountTotal, currency = session.currency } = command
      const priced = { ...checkout, session: { ...session, amountTotal, currency } }
      const { intent, charge } = attempt(priced, 'pay', now, ids, 'card', 'succeeded')
      return paid({ ...priced, intent, charge }, 'checkout.session.completed')
    }
    case 'decline': {
      const { intent, charge } = attempt(checkout, 'decline', now, ids, 'card', 'failed')
      return refused({ ...checkout, intent, charge }, declined(command.reason, charge), [])
    }
    case 'delay': {
      const { intent, charge } = attempt(checkout, 'delay', now, ids, 'bank_debit', 'pending')
      return delayed({ ...checkout, intent, charge })
    }
    case 'settle':
      mustBePending(checkout, 'settle')
      return paid(checkout, 'checkout.session.async_payment_succeeded')
    case 'fail':
      return failed(checkout, now, ids)
    case 'expire':
      return expired(checkout, now)
    default: {
      if (checkout.session.paymentStatus !== 'paid' || checkout.charge === undefined) {
        throw new ImpossibleCheckout(`Cannot ${command.type}: the checkout is not paid.`)
      }
      const { next, events } = decideCharge({ ...checkout, charge: checkout.charge }, command, now, ids)
      return { next: { ...checkout, ...next }, events }
    }
  }
}

/** Returns the address for a customer who goes back, or null. As at Stripe, the session does not change. */
export function leave({ session }: Checkout, now: Date): string | null {
  mustBeOpen(session, 'go back', now)
  return session.cancelUrl
}

/** Returns whether the customer has finished and the money has not arrived yet. */
export function isPending({ session, intent }: Checkout): boolean {
  return session.status === 'complete' && session.paymentStatus === 'unpaid' && intent?.status === 'processing'
}

function paid(checkout: Checkout, sessionEvent: string): CheckoutChange {
  const { session, intent, charge } = begun(checkout)
  return {
    next: {
      ...checkout,
      session: { ...session, status: 'complete', paymentStatus: 'paid' },
      intent: { ...intent, status: 'succeeded', lastPaymentError: null },
      charge: { ...charge, status: 'succeeded' },
    },
    events: [
      { type: 'charge.succeeded', subject: 'charge' },
      { type: 'payment_intent.succeeded', subject: 'intent' },
      { type: sessionEvent, subject: 'session' },
    ],
  }
}

function delayed(checkout: Checkout): CheckoutChange {
  const { session, intent, charge } = begun(checkout)
  return {
    next: {
      ...checkout,
      session: { ...session, status: 'complete' },
      intent: { ...intent, status: 'processing', lastPaymentError: null },
      charge,
    },
    events: [
      { type: 'charge.pending', subject: 'charge' },
      { type: 'payment_intent.processing', subject: 'intent' },
      { type: 'checkout.session.completed', subject: 'session' },
    ],
  }
}

function failed(checkout: Checkout, now: Date, ids: CheckoutIds): CheckoutChange {
  if (isPending(checkout)) return refused(checkout, bankRefusal(begun(checkout).charge), asyncFailure)
  // Failing an open checkout: the customer pays by a delayed method, and the bank refuses at once.
  const { intent, charge } = attempt(checkout, 'fail', now, ids, 'bank_debit', 'pending')
  const done = delayed({ ...checkout, intent, charge })
  const end = refused(done.next, bankRefusal(charge), asyncFailure)
  return { next: end.next, events: [...done.events, ...end.events] }
}

const asyncFailure: CheckoutEvent[] = [{ type: 'checkout.session.async_payment_failed', subject: 'session' }]

function refused(checkout: Checkout, error: PaymentError, sessionEvents: CheckoutEvent[]): CheckoutChange {
  const { session, intent, charge } = begun(checkout)
  return {
    next: {
      ...checkout,
      session,
      intent: { ...intent, status: 'requires_payment_method', lastPaymentError: error },
      charge: {
        ...charge,
        status: 'failed',
        failureCode: error.code,
        declineCode: error.decline_code ?? null,
        failureMessage: error.message,
      },
    },
    events: [
      { type: 'charge.failed', subject: 'charge' },
      { type: 'payment_intent.payment_failed', subject: 'intent' },
      ...sessionEvents,
    ],
  }
}

function expired(checkout: Checkout, now: Date): CheckoutChange {
  const { session, intent } = checkout
  if (session.status !== 'open') throw impossible(session, 'expire')
  const sessionExpired: CheckoutEvent = { type: 'checkout.session.expired', subject: 'session' }
  const next: Checkout = { ...checkout, session: { ...session, status: 'expired' } }
  if (intent === undefined) return { next, events: [sessionExpired] }
  const canceled: PaymentIntent = { ...intent, status: 'canceled', canceledAt: now, cancellationReason: 'expired' }
  return {
    next: { ...next, intent: canceled },
    events: [{ type: 'payment_intent.canceled', subject: 'intent' }, sessionExpired],
  }
}

/** Makes an attempt to pay: the first one creates the intent, each one creates a charge. */
function attempt(
  { session, intent }: Checkout,
  action: string,
  now: Date,
  ids: CheckoutIds,
  method: 'card' | 'bank_debit',
  status: Charge['status'],
): { intent: PaymentIntent; charge: Charge } {
  mustBeOpen(session, action, now)
  const shared = {
    accountId: session.accountId,
    amount: session.amountTotal,
    currency: session.currency,
    customer: session.customer,
    applicationFeeAmount: session.applicationFeeAmount && Math.min(session.applicationFeeAmount, session.amountTotal),
    description: session.paymentDescription,
    metadata: session.paymentMetadata,
    createdAt: now,
  }
  const begun: PaymentIntent = {
    id: ids.intent,
    sessionId: session.id,
    status: 'requires_payment_method',
    statementDescriptorSuffix: session.statementDescriptorSuffix,
    clientSecret: ids.intentSecret,
    lastPaymentError: null,
    latestChargeId: null,
    cancellationReason: null,
    canceledAt: null,
    ...intent,
    ...shared,
    createdAt: intent?.createdAt ?? now,
  }
  const charge: Charge = {
    ...shared,
    id: ids.charge,
    paymentIntentId: begun.id,
    status,
    amountRefunded: 0,
    calculatedStatementDescriptor: ids.statementDescriptor,
    method,
    failureCode: null,
    declineCode: null,
    failureMessage: null,
  }
  return { intent: { ...begun, latestChargeId: charge.id }, charge }
}

/** Returns the parts of a checkout whose payment has begun, with the session naming its intent. */
function begun({ session, intent, charge }: Checkout): {
  session: CheckoutSession
  intent: PaymentIntent
  charge: Charge
} {
  if (intent === undefined || charge === undefined) throw new Error(`checkout ${session.id} has no payment`)
  return { session: { ...session, paymentIntentId: intent.id }, intent, charge }
}

function declined(reason: DeclineReason, charge: Charge): PaymentError {
  return {
    type: 'card_error',
    code: 'card_declined',
    decline_code: reason,
    message: declineMessages[reason],
    charge: charge.id,
  }
}

function bankRefusal(charge: Charge): PaymentError {
  return {
    type: 'invalid_request_error',
    code: 'payment_intent_payment_attempt_failed',
    message: 'The payment failed: the bank could not collect the amount.',
    charge: charge.id,
  }
}

function mustBeOpen(session: CheckoutSession, action: string, now: Date): void {
  if (session.status !== 'open') throw impossible(session, action)
  if (session.expiresAt <= now) throw new ImpossibleCheckout(`Cannot ${action}: the checkout has run out.`)
}

function mustBePending(checkout: Checkout, action: string): void {
  if (!isPending(checkout)) throw impossible(checkout.session, action, 'Only a delayed payment can be settled.')
}

function impossible(session: CheckoutSession, action: string, hint = ''): ImpossibleCheckout {
  const state = session.status === 'complete' ? `complete (${session.paymentStatus})` : session.status
  return new ImpossibleCheckout(`Cannot ${action}: the checkout is ${state}. ${hint}`.trimEnd())
}
