import type { Dispute } from '../db.ts'
import type { ChargeChange, ChargeEvent, PaidCharge } from './charge.ts'
import { ImpossibleCheckout } from './impossible.ts'
import { failPendingRefunds } from './refunds.ts'

/**
 * The customer's bank disputes a charge, and the amount is withdrawn. A refund does not prevent it.
 *
 * @param amount in Stripe's smallest unit; default: what was not refunded, or everything if all was
 * @throws ImpossibleCheckout while an earlier dispute is open or after one was lost
 */
export function disputeCharge(paid: PaidCharge, amount: number | undefined, now: Date, id: string): ChargeChange {
  const { charge, disputes } = paid
  if (disputes.some(({ status }) => status !== 'won')) {
    throw new ImpossibleCheckout('Cannot dispute: the charge has a dispute that was not won.')
  }
  if (amount !== undefined && amount > charge.amount) {
    throw new ImpossibleCheckout(`Cannot dispute ${amount}: the charge took ${charge.amount}.`)
  }
  const { next, events } = failPendingRefunds(paid)
  const left = charge.amount - next.charge.amountRefunded
  const dispute: Dispute = {
    id,
    chargeId: charge.id,
    paymentIntentId: charge.paymentIntentId,
    accountId: charge.accountId,
    number: disputes.length + 1,
    status: 'needs_response',
    amount: amount ?? (left === 0 ? charge.amount : left),
    currency: charge.currency,
    reason: 'general',
    createdAt: now,
  }
  return {
    next: { ...next, disputes: [...disputes, dispute] },
    events: [...events, event('created', id), event('funds_withdrawn', id)],
  }
}

/**
 * The bank decides the newest dispute, or opens it again after it was decided.
 *
 * @throws ImpossibleCheckout
 */
export function decideDispute(
  paid: PaidCharge,
  command: 'win-dispute' | 'lose-dispute' | 'reopen-dispute',
): ChargeChange {
  const dispute = paid.disputes.at(-1)
  const isOpen = dispute?.status === 'needs_response'
  if (dispute === undefined || isOpen === (command === 'reopen-dispute')) {
    throw new ImpossibleCheckout(
      `Cannot ${command}: the charge has no ${command === 'reopen-dispute' ? 'decided' : 'open'} dispute.`,
    )
  }
  const changed = (status: Dispute['status'], ...names: string[]): ChargeChange => ({
    next: { ...paid, disputes: [...paid.disputes.slice(0, -1), { ...dispute, status }] },
    events: names.map((name) => event(name, dispute.id)),
  })
  switch (command) {
    case 'win-dispute':
      return changed('won', 'funds_reinstated', 'closed')
    case 'lose-dispute':
      return changed('lost', 'closed')
    case 'reopen-dispute':
      return dispute.status === 'won'
        ? changed('needs_response', 'updated', 'funds_withdrawn')
        : changed('needs_response', 'updated')
  }
}

function event(name: string, id: string): ChargeEvent {
  return { type: `charge.dispute.${name}`, subject: 'dispute', id }
}
