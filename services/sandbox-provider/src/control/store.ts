import { camelRows, type Queryable } from '@frontdesk/database'
import type { Charge, CheckoutSession, Dispute, PaymentIntent, Refund } from '../db.ts'

/** A checkout in the ledger: its amount, and every attempt to pay. */
export interface LedgerEntry {
  paymentId: string
  /** the `client_reference_id`, by which the platform knows the payment */
  reference: string | null
  accountId: string | null
  status: CheckoutSession['status']
  paymentStatus: CheckoutSession['paymentStatus']
  currency: string
  amount: number
  createdAt: Date
  intentStatus: PaymentIntent['status'] | null
  charges: LedgerCharge[]
}

/** An attempt to pay. Refunds and disputes are oldest first. */
export interface LedgerCharge extends Pick<Charge, 'id' | 'status' | 'amount' | 'amountRefunded'> {
  /** the fee that the platform took, and what it has given back */
  fee: number
  feeReturned: number
  /** status of the newest dispute */
  disputeStatus: Dispute['status'] | null
  disputes: Pick<Dispute, 'id' | 'status' | 'amount'>[]
  refunds: (Pick<Refund, 'id' | 'status' | 'amount' | 'feeReturned' | 'failureReason'> & {
    /** `refundId` of the metadata: the refund of the platform; null for one from the dashboard */
    refundId: string | null
  })[]
}

/** Returns the checkouts of all accounts in the order of their ids, beginning after the id `after`. */
export async function readLedger(db: Queryable, after: string, limit: number): Promise<LedgerEntry[]> {
  return camelRows<LedgerEntry>(
    await db.query(
      `select s.id as payment_id, s.client_reference_id as reference, s.account_id, s.status, s.payment_status, s.currency,
              s.amount_total as amount, s.created_at, i.status as intent_status,
              coalesce((select jsonb_agg(${chargeJson} order by c.created_at, c.id)
                          from charges c where c.payment_intent_id = i.id), '[]') as charges
         from checkout_sessions s left join payment_intents i on i.session_id = s.id
        where s.id > $1 order by s.id limit $2`,
      [after, limit],
    ),
  )
}

const chargeJson = `jsonb_build_object(
  'id', c.id, 'status', c.status, 'amount', c.amount, 'amountRefunded', c.amount_refunded,
  'fee', case when c.status = 'succeeded' then coalesce(c.application_fee_amount, 0) else 0 end,
  'feeReturned', (select coalesce(sum(r.fee_returned), 0) from refunds r where r.charge_id = c.id and r.status <> 'failed'),
  'disputeStatus', (select d.status from disputes d where d.charge_id = c.id order by d.number desc limit 1),
  'disputes', coalesce((select jsonb_agg(jsonb_build_object('id', d.id, 'status', d.status, 'amount', d.amount)
                                         order by d.number) from disputes d where d.charge_id = c.id), '[]'),
  'refunds', coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'refundId', r.metadata ->> 'refundId',
                                'status', r.status, 'amount', r.amount, 'feeReturned', r.fee_returned,
                                'failureReason', r.failure_reason) order by r.number)
                         from refunds r where r.charge_id = c.id), '[]'))`
