import type Stripe from 'stripe'
import type { RefundOrder, RefundRequest } from '../orders.ts'
import type { ProviderRefund } from '../port.ts'
import { currencyOf, minorUnits, stripeAmount } from './amounts.ts'
import { text, time } from './answers.ts'

/** The reasons that Stripe knows. Any other is the client's own and goes into the metadata only. */
const knownReasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const

/** Builds Stripe's refund request without IO. Throws ProviderRefused for an amount that Stripe cannot refund. */
export function refundRequest(order: RefundOrder): RefundRequest {
  const reason = knownReasons.find((known) => known === order.reason)
  const params: Stripe.RefundCreateParams = {
    payment_intent: order.paymentIntentId,
    amount: stripeAmount(order.amount, order.currency, '/Amount'),
    refund_application_fee: order.returnsFee,
    ...(reason === undefined ? {} : { reason }),
    metadata: {
      refundId: order.refundId,
      recordId: order.recordId,
      ...(order.reason ? { reason: order.reason } : {}),
      ...(order.reference ? { reference: order.reference } : {}),
    },
  }
  // Through JSON, so that the request sent now equals the one that a later retry reads from the database.
  const stored = JSON.parse(JSON.stringify(params)) as Record<string, unknown>
  return { providerAccountId: order.providerAccountId, idempotencyKey: `ref_${order.refundId}`, params: stored }
}

/** Maps Stripe's refund to the port's. Throws UnreadableAnswer. */
export function toProviderRefund(refund: Stripe.Refund): ProviderRefund {
  const currency = currencyOf(refund.currency)
  return {
    id: text(refund.id, 'the id of the refund'),
    refundId: refund.metadata?.['refundId'],
    status: refundStatus(refund.status),
    amount: minorUnits(refund.amount, currency),
    currency,
    reason: refund.metadata?.['reason'] ?? refund.reason ?? undefined,
    reference: refund.metadata?.['reference'],
    failureReason: refund.failure_reason,
    createdAt: time(refund.created, 'the time of the refund'),
  }
}

function refundStatus(status: string | null): ProviderRefund['status'] {
  if (status === 'succeeded') return 'succeeded'
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending'
}
