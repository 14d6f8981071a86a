import type { RefundRecord, RefundStatus } from '@frontdesk/contracts'
import type { RefundRequest } from '@frontdesk/providers'
import type { Refund as Model } from '../db.ts'
import type { Payment, Refund } from './domain.ts'

/** A refund's row, as Prisma or as JSON within its payment's row. */
export type RefundRow = Omit<Model, 'recordId' | 'provider' | 'changedAt' | 'amount' | 'createdAt'> & {
  amount: bigint | number
  createdAt: Date | string
}

/** Returns the state that the rules decide on. */
export function refundFromRow(row: RefundRow): Refund {
  return {
    refundId: row.id,
    amount: Number(row.amount),
    currency: row.currency,
    reason: row.reason ?? undefined,
    reference: row.reference ?? undefined,
    createdAt: new Date(row.createdAt),
    request: (row.providerRequest ?? undefined) as unknown as RefundRequest | undefined,
    status: row.status as RefundStatus,
    listed: row.listed,
    outcome: (row.outcome ?? undefined) as Refund['outcome'],
    providerRefundId: row.providerRefundId ?? undefined,
    failureReason: row.failureReason ?? undefined,
  }
}

/** Returns a refund as a record of `json_to_recordset`, by the names of the columns. */
export function refundColumns(payment: Payment, refund: Refund, now: Date) {
  return {
    record_id: payment.recordId,
    id: refund.refundId,
    provider: payment.provider,
    provider_refund_id: refund.providerRefundId,
    amount: refund.amount,
    currency: refund.currency,
    status: refund.status,
    reason: refund.reason,
    reference: refund.reference,
    failure_reason: refund.failureReason,
    listed: refund.listed,
    outcome: refund.outcome,
    provider_request: refund.request,
    created_at: refund.createdAt,
    changed_at: now,
  }
}

/** Returns a refund as the interface shows it. */
export function refundToWire({ recordId, provider }: Payment, refund: Refund): RefundRecord {
  return {
    RefundId: refund.refundId,
    RecordId: recordId,
    PaymentProvider: provider,
    ...(refund.providerRefundId === undefined ? {} : { ProviderRefundId: refund.providerRefundId }),
    Amount: refund.amount,
    Currency: refund.currency,
    Status: refund.status,
    ...(refund.reason === undefined ? {} : { Reason: refund.reason }),
    ...(refund.reference === undefined ? {} : { Reference: refund.reference }),
    ...(refund.failureReason === undefined ? {} : { FailureReason: refund.failureReason }),
    CreatedAt: refund.createdAt.toISOString(),
  }
}
