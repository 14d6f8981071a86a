import { ProviderRefused, type Provider } from '@frontdesk/providers'
import { applyRefund } from '../payment/afterwards.ts'
import type { PaymentDeps } from '../payment/deps.ts'
import type { Payment, Refund } from '../payment/domain.ts'
import { giveUpRefund, refuseRefund } from '../payment/refunds.ts'
import { longestRequestMs } from '../payment/schedule.ts'
import { changePayment } from '../payment/store.ts'

/**
 * Sends the stored requests of a payment's refunds again that the provider does not have, after their own requests have ended.
 * The payment must be as the provider has just told it, with its refunds: one that is still `Created` was not made. Once the
 * provider would no longer recognise the request, it is not sent any more, and the refund ends. Throws ProviderError; a
 * refusal ends the refund.
 */
export async function sendRefunds(deps: PaymentDeps, provider: Provider, payment: Payment): Promise<void> {
  const { idempotencyWindowMs, findsRefunds } = provider.capabilities
  for (const refund of payment.refunds.filter(({ status }) => status === 'Created')) {
    const ageMs = deps.now().getTime() - refund.createdAt.getTime()
    if (ageMs < longestRequestMs) continue
    if (ageMs < idempotencyWindowMs) await resendRefund(deps, provider, payment, refund)
    else if (findsRefunds) {
      await changePayment(deps, payment.recordId, (current, now) => giveUpRefund(current, refund.refundId, now))
    }
  }
}

async function resendRefund(
  deps: PaymentDeps,
  provider: Provider,
  { recordId }: Payment,
  { refundId, request }: Refund,
): Promise<void> {
  if (request === undefined) return
  try {
    const told = await provider.createRefund(request)
    await changePayment(deps, recordId, (payment, now) => applyRefund(payment, told, now))
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    await changePayment(deps, recordId, (payment, now) => refuseRefund(payment, refundId, error, 'sweep', now))
  }
}
