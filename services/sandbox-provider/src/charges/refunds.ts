import type { Charge, Refund } from '../db.ts'
import type { ChargeChange, ChargeEvent, PaidCharge, RefundOrder } from './charge.ts'
import { ImpossibleCheckout, ImpossibleRefund } from './impossible.ts'

/**
 * Refunds a charge. As at Stripe, a pending refund counts as refunded until it fails.
 *
 * @throws ImpossibleRefund
 */
export function refundCharge(paid: PaidCharge, order: RefundOrder, now: Date, id: string): ChargeChange {
  const { charge, refunds } = paid
  const amount = refundable(paid, order.amount)
  const refund: Refund = {
    id,
    chargeId: charge.id,
    paymentIntentId: charge.paymentIntentId,
    accountId: charge.accountId,
    number: refunds.length + 1,
    status: order.isPending === true ? 'pending' : 'succeeded',
    amount,
    currency: charge.currency,
    feeReturned: order.returnsFee === true ? feeOf(paid, amount) : 0,
    reason: order.reason ?? null,
    failureReason: null,
    metadata: order.metadata ?? {},
    createdAt: now,
  }
  return {
    next: withRefunds(paid, [...refunds, refund]),
    events: [
      { type: 'refund.created', subject: 'refund', id },
      { type: 'charge.refunded', subject: 'charge' },
    ],
  }
}

/**
 * The bank has paid a pending refund.
 *
 * @param id the refund; default: the newest pending one
 * @throws ImpossibleCheckout
 */
export function settleRefund(paid: PaidCharge, id: string | undefined): ChargeChange {
  const refund = chosen(paid, 'settle-refund', id, ({ status }) => status === 'pending')
  return {
    next: withRefunds(paid, replaced(paid.refunds, { ...refund, status: 'succeeded' })),
    events: updated('refund.updated', refund.id),
  }
}

/**
 * The bank refuses a refund, also one that has succeeded: its amount can be refunded again.
 *
 * @param id the refund; default: the newest one that has not failed
 * @throws ImpossibleCheckout
 */
export function failRefund(paid: PaidCharge, id: string | undefined): ChargeChange {
  return failed(
    paid,
    chosen(paid, 'fail-refund', id, ({ status }) => status !== 'failed'),
    'expired_or_canceled_card',
  )
}

/** Fails the pending refunds of a charge that is disputed: Stripe does not pay twice. */
export function failPendingRefunds(paid: PaidCharge): ChargeChange {
  const events: ChargeEvent[] = []
  let next = paid
  for (const refund of paid.refunds.filter(({ status }) => status === 'pending')) {
    const change = failed(next, refund, 'charge_for_pending_refund_disputed')
    next = change.next
    events.push(...change.events)
  }
  return { next, events }
}

/** Returns the part of the application fee that the platform has given back. */
export function feeReturned(refunds: readonly Refund[]): number {
  return sum(refunds, (refund) => refund.feeReturned)
}

function failed(paid: PaidCharge, refund: Refund, failureReason: string): ChargeChange {
  return {
    next: withRefunds(paid, replaced(paid.refunds, { ...refund, status: 'failed', failureReason })),
    events: updated('refund.failed', refund.id),
  }
}

function refundable({ charge, disputes }: PaidCharge, requested: number | undefined): number {
  const left = charge.amount - charge.amountRefunded
  if (disputes.some(({ status }) => status !== 'won')) {
    throw new ImpossibleRefund(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  }
  if (left === 0) {
    throw new ImpossibleRefund(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  const amount = requested ?? left
  if (amount > left) {
    throw new ImpossibleRefund(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: 'amount',
    })
  }
  return amount
}

/** Returns the part of the fee that goes back with a refund. The last refund gives back what is left of it. */
function feeOf({ charge, refunds }: PaidCharge, amount: number): number {
  const fee = charge.applicationFeeAmount ?? 0
  const left = fee - feeReturned(refunds)
  if (charge.amountRefunded + amount === charge.amount) return left
  return Math.min(left, Math.floor((fee * amount) / charge.amount))
}

function chosen(
  { refunds }: PaidCharge,
  action: string,
  id: string | undefined,
  isPossible: (refund: Refund) => boolean,
): Refund {
  const found = refunds.findLast((refund) => (id === undefined ? isPossible(refund) : refund.id === id))
  if (found === undefined) {
    throw new ImpossibleCheckout(
      `Cannot ${action}: the charge has no such refund${id === undefined ? '' : ` as ${id}`}.`,
    )
  }
  if (!isPossible(found)) throw new ImpossibleCheckout(`Cannot ${action}: the refund ${found.id} is ${found.status}.`)
  return found
}

function replaced(refunds: readonly Refund[], changed: Refund): Refund[] {
  return refunds.map((refund) => (refund.id === changed.id ? changed : refund))
}

function withRefunds(paid: PaidCharge, refunds: readonly Refund[]): PaidCharge {
  const charge: Charge = { ...paid.charge, amountRefunded: sum(refunds, (refund) => refund.amount) }
  return { ...paid, charge, refunds }
}

/** Adds up refunds that have not failed: a failed refund gives the fee back to the platform, too. */
function sum(refunds: readonly Refund[], of: (refund: Refund) => number): number {
  return refunds.reduce((total, refund) => (refund.status === 'failed' ? total : total + of(refund)), 0)
}

function updated(type: string, id: string): ChargeEvent[] {
  const events: ChargeEvent[] = [
    { type, subject: 'refund', id },
    { type: 'charge.refund.updated', subject: 'refund', id },
  ]
  return type === 'refund.failed' ? [...events, { type: 'charge.updated', subject: 'charge' }] : events
}
