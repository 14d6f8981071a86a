import type { ProviderRefused } from '@frontdesk/providers'
import type { PaymentDeps } from '../payment/deps.ts'
import { unchanged, type Payment } from '../payment/domain.ts'
import { giveUp, paidByProof } from '../payment/outcome.ts'
import { changePayment } from '../payment/store.ts'
import type { PaymentRow } from '../payment/wire.ts'
import { findPaidProof } from './store.ts'

/** Whether the provider refuses because the account has revoked our access, or is gone: it will not tell the next time either. */
export const isOutOfReach = ({ reason }: ProviderRefused): boolean => reason === 'account_invalid'

/**
 * Decides about a payment with a checkout of which the provider does not tell. If its signed event says that it is paid, the
 * payment is completed. Otherwise it stays open; if nothing is to be expected any more (`isFinal`), a person is told once, and
 * it no longer keeps its account from being deleted.
 */
export async function acceptUntold(
  deps: PaymentDeps,
  row: PaymentRow,
  { isFinal, askedAt }: { isFinal: boolean; askedAt: Date },
): Promise<Payment> {
  const proof = await findPaidProof(deps.pool, row)
  const decide = (payment: Payment, now: Date) => {
    if (proof !== undefined && payment.outcome !== 'succeeded') return paidByProof(payment, proof, now)
    return isFinal && payment.paymentId !== undefined ? giveUp(payment, now) : unchanged(payment)
  }
  return (await changePayment(deps, row.id, decide, { askedAt })).payment
}
