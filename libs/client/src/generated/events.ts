// Printed by `npm run print-contracts`: do not edit.
import type * as S from './schemas.ts'

/** The data of each event that a subscription can get from Frontdesk itself, by type. */
export interface DataOfEvents {
  /** A payment succeeded: its money is confirmed. */
  'payment.succeeded': S.PaymentSucceededData
  /** A payment failed for good. */
  'payment.failed': S.PaymentFailedData
  /** A payment was cancelled, or its checkout expired. */
  'payment.cancelled': S.PaymentCancelledData
  /** A refund succeeded: its money is on the way back to the customer. */
  'refund.succeeded': S.RefundSucceededData
  /** A refund failed, possibly after it had succeeded: its money is back with the practice. */
  'refund.failed': S.RefundFailedData
  /** A customer disputes a payment at the bank. */
  'dispute.opened': S.DisputeOpenedData
  /** A dispute ended: it was won, or lost and the bank took the money back. */
  'dispute.closed': S.DisputeClosedData
  /** The status of a payment provider account changed, for example to Active, with which it can take payments. */
  'account.status_changed': S.AccountStatusChangedData
}

export const eventTypes: readonly (keyof DataOfEvents)[] = ["payment.succeeded","payment.failed","payment.cancelled","refund.succeeded","refund.failed","dispute.opened","dispute.closed","account.status_changed"]
