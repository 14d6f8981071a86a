import type { Charge } from '../db.ts'
import type { Checkout, CheckoutChange } from './checkout.ts'
import { ImpossibleCheckout } from './impossible.ts'

/** What can happen to a payment after it was paid. */
export type AfterPaymentCommand =
  /** the practice refunds `amount` in Stripe's smallest unit, or all that is left */
  { type: 'refund'; amount?: number } | { type: 'dispute' } | { type: 'win-dispute' } | { type: 'lose-dispute' }

/**
 * Decides the state of a checkout after a command on a paid payment. Only the charge changes, as at Stripe.
 *
 * @throws ImpossibleCheckout
 */
export function decideAfterPayment(
  checkout: Checkout,
  command: AfterPaymentCommand,
  disputeId: string,
): CheckoutChange {
  const { charge } = checkout
  if (checkout.session.paymentStatus !== 'paid' || charge === undefined) {
    throw new ImpossibleCheckout(`Cannot ${command.type}: the checkout is not paid.`)
  }
  switch (command.type) {
    case 'refund':
      return {
        next: { ...checkout, charge: refunded(charge, command.amount) },
        events: [{ type: 'charge.refunded', subject: 'charge' }],
      }
    case 'dispute':
      if (charge.disputeId !== null) throw new ImpossibleCheckout('Cannot dispute: the charge was disputed before.')
      return {
        next: { ...checkout, charge: { ...charge, disputeId, disputeStatus: 'needs_response' } },
        events: [{ type: 'charge.dispute.created', subject: 'dispute' }],
      }
    case 'win-dispute':
    case 'lose-dispute': {
      if (charge.disputeStatus !== 'needs_response') {
        throw new ImpossibleCheckout(`Cannot ${command.type}: the charge has no open dispute.`)
      }
      const disputeStatus = command.type === 'win-dispute' ? 'won' : 'lost'
      return {
        next: { ...checkout, charge: { ...charge, disputeStatus } },
        events: [{ type: 'charge.dispute.closed', subject: 'dispute' }],
      }
    }
  }
}

function refunded(charge: Charge, amount: number | undefined): Charge {
  const left = charge.amount - charge.amountRefunded
  const refund = amount ?? left
  if (charge.disputeStatus === 'needs_response' || charge.disputeStatus === 'lost') {
    throw new ImpossibleCheckout('Cannot refund: the charge is disputed.')
  }
  if (refund < 1 || refund > left)
    throw new ImpossibleCheckout(`Cannot refund ${refund}: ${left} is left of the charge.`)
  return { ...charge, amountRefunded: charge.amountRefunded + refund }
}
