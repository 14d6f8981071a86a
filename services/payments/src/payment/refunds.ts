import { problem } from '@frontdesk/problems'
import type { ProviderRefused, RefundOrder, RefundRequest } from '@frontdesk/providers'
import { decided, draftOf, replaceRefund, sumOf } from './afterwards.ts'
import { unchanged, type Decision, type Payment, type Refund } from './domain.ts'

// Our own decisions about refunds. Those that follow the provider's answers are in afterwards.ts.

/** A client's wish to give money back. `amount` is in ISO 4217 minor units of what was taken. */
export interface RefundCommand {
  refundId: string
  /** Default: what is left. */
  amount?: number | undefined
  reason?: string | undefined
  reference?: string | undefined
  /** Whether the platform gives back its fee, in the proportion of the refund. */
  returnsFee: boolean
}

/**
 * Adds a refund as `Created`, with the request that `build` makes of its order. A refund that the payment has already stays
 * as it is: the request resumes it. Throws the problems payment_not_refundable and refund_too_large, and what `build` throws.
 */
export function requestRefund(
  payment: Payment,
  command: RefundCommand,
  build: (order: RefundOrder) => RefundRequest,
  now: Date,
): Decision {
  const { refundId, reason, reference, returnsFee } = command
  if (payment.refunds.some((refund) => refund.refundId === refundId)) return unchanged(payment)
  const { recordId, providerAccountId, paymentIntentId, status, paidCurrency: currency = payment.currency } = payment
  const isRefundable = status === 'Completed' || status === 'PartiallyRefunded' || status === 'Refunded'
  if (!isRefundable || paymentIntentId === undefined) {
    throw problem('payment_not_refundable', { detail: `the payment is ${status}` })
  }
  const left = leftOf(payment)
  const amount = command.amount ?? left
  if (amount > left || left === 0) {
    const detail = `${left} ${currency} are left (minor units)`
    throw problem('refund_too_large', { detail, errors: [{ pointer: '/Amount', detail }] })
  }
  const order = {
    refundId,
    recordId,
    providerAccountId,
    paymentIntentId,
    amount,
    currency,
    reason,
    reference,
    returnsFee,
  }
  const request = build(order)
  const refund: Refund = {
    refundId,
    amount,
    currency,
    reason,
    reference,
    createdAt: now,
    request,
    status: 'Created',
    listed: true,
  }
  return changed(payment, refund, now)
}

/** Returns what can still be given back, in minor units: a refund counts until it has failed. */
export function leftOf({ refunds, amount, paidAmount = amount }: Payment): number {
  return Math.max(0, paidAmount - sumOf(refunds.filter(({ status }) => status !== 'Failed')))
}

/**
 * Ends a refund that the provider refused. Within the request the client is told (422): there is no event, and the refund is
 * not listed. Later, when a sweep sends it again, an event tells. A refund that is no longer `Created` stays as it is.
 */
export function refuseRefund(
  payment: Payment,
  refundId: string,
  { reason, details }: ProviderRefused,
  within: 'request' | 'sweep',
  now: Date,
): Decision {
  const failureReason = details.declineCode ?? details.code ?? reason
  return failed(payment, refundId, { failureReason, listed: within === 'sweep' }, now)
}

/** Withdraws a refund whose request surely never left, and which nobody can resume (docs/decisions/014). It is not listed. */
export function withdrawRefund(payment: Payment, refundId: string, now: Date): Decision {
  return failed(payment, refundId, { failureReason: 'not_sent', listed: false }, now)
}

/**
 * Ends a refund of unknown outcome, once the provider has been asked for the payment's refunds and does not have it, and
 * would no longer take it for the same request.
 */
export function giveUpRefund(payment: Payment, refundId: string, now: Date): Decision {
  const decision = failed(payment, refundId, { failureReason: 'provider_outcome_unknown', listed: true }, now)
  const detail = `refund ${refundId}: the provider has no refund of that name`
  return decision.next === payment ? decision : { ...decision, alerts: [{ code: 'refund_outcome_unknown', detail }] }
}

function failed(
  payment: Payment,
  refundId: string,
  end: Required<Pick<Refund, 'failureReason' | 'listed'>>,
  now: Date,
): Decision {
  const refund = payment.refunds.find((one) => one.refundId === refundId)
  if (refund?.status !== 'Created') return unchanged(payment)
  return changed(payment, { ...refund, ...end, status: 'Failed' }, now)
}

function changed(payment: Payment, refund: Refund, now: Date): Decision {
  const draft = draftOf(payment)
  replaceRefund(draft, refund, now)
  return decided(payment, draft)
}
