import type { ChargeChange, ChargeCommand, ChargeIds, PaidCharge } from './charge.ts'
import { decideDispute, disputeCharge } from './disputes.ts'
import { failRefund, refundCharge, settleRefund } from './refunds.ts'

/**
 * Decides the state of a charge after a command, and its events.
 *
 * @throws ImpossibleCheckout
 */
export function decideCharge(paid: PaidCharge, command: ChargeCommand, now: Date, ids: ChargeIds): ChargeChange {
  switch (command.type) {
    case 'refund':
      return refundCharge(paid, command, now, ids.refund)
    case 'settle-refund':
      return settleRefund(paid, command.refund)
    case 'fail-refund':
      return failRefund(paid, command.refund)
    case 'dispute':
      return disputeCharge(paid, command.amount, now, ids.dispute)
    case 'win-dispute':
    case 'lose-dispute':
    case 'reopen-dispute':
      return decideDispute(paid, command.type)
  }
}
