import { eachOf } from '../system/each-of.ts'
import type { Practice } from '../system/practice.ts'
import type { LedgerEntry } from '../system/provider.ts'
import type { StartedSystem } from '../system/start-system.ts'
import type { Departure } from './departures.ts'
import type { Manner, PlannedPayment } from './plan.ts'

/** The sides that are compared. */
export interface AuditedSystem extends Pick<StartedSystem, 'frontdesk' | 'provider' | 'database'> {
  /** Returns the Public events that payments has sent. */
  publicEvents(): Promise<PublicEvent[]>
  /** Returns everything that subscribers have received, repetitions included. */
  received(): Received[]
}

/** A webhook that a subscriber received. */
export interface Received {
  webhookId: string
  recordId: string
}

/** A payment that was requested, and what its client knows of it. */
export interface Requested {
  plan: Pick<PlannedPayment, 'name' | 'manner'>
  /** Absent if the client never had an answer. */
  recordId?: string | undefined
  refunds?: readonly RequestedRefund[]
  /** When it was paid at the provider: milliseconds of this machine's clock. */
  paidAt?: number
}

/** A refund that a client asked for, and what it knows of it. */
export interface RequestedRefund {
  /** Its Reference and Idempotency-Key. */
  name: string
  manner: Manner
  /** Absent if the client never had an answer. */
  refundId?: string | undefined
  /** The code of the rule that refused it. */
  refused?: string | undefined
}

/** A payment's row in the payments database. */
export interface Row {
  id: string
  /** The checkout that the client was given; null if there was none. */
  paymentId: string | null
  reference: string
  site: string
  status: string
  listed: boolean
  amount: number
  fee: number
  refunds: RefundRow[]
}

/** A refund's row in the payments database. */
export interface RefundRow {
  id: string
  reference: string | null
  providerRefundId: string | null
  status: string
  amount: number
  listed: boolean
}

/** A payment as the API shows it. */
export interface Shown {
  statuses: string[]
  amount: number
  paidAmount?: number | undefined
  refundedAmount: number
  refunds: { id: string; status: string; amount: number }[]
}

/** A Public event of a payment. */
export interface PublicEvent {
  id: string
  recordId: string
  type: string
  published: boolean
  /** When it was recorded together with the change that it tells: milliseconds of Postgres's clock. */
  at?: number
  refundId?: string | null | undefined
  disputeId?: string | null | undefined
  disputeOutcome?: string | null | undefined
}

/** The records of all sides: clients, our database, the API, the provider, the outbox and the subscribers. */
export interface Records {
  requested: readonly Requested[]
  rows: readonly Row[]
  shown: ReadonlyMap<string, Shown>
  ledger: readonly LedgerEntry[]
  events: readonly PublicEvent[]
  received: readonly Received[]
  departures: readonly Departure[]
  /** The checkouts of which a signed webhook that they are paid is stored. */
  proven: ReadonlySet<string>
}

export async function readRows({ database }: Pick<AuditedSystem, 'database'>): Promise<Row[]> {
  const result = await database('payments').query<Row>(
    `select id, payment_id as "paymentId", reference, site_slug as site, status, listed, amount::int as amount, fee_amount::int as fee,
            coalesce((select json_agg(json_build_object('id', r.id, 'reference', r.reference, 'providerRefundId', r.provider_refund_id,
                                     'status', r.status, 'amount', r.amount, 'listed', r.listed) order by r.id)
                        from refunds r where r.record_id = payments.id), '[]') as refunds
       from payments order by id`,
  )
  return result.rows
}

/** Reads the Public events in the outbox. */
export async function readEvents({ database }: Pick<AuditedSystem, 'database'>): Promise<PublicEvent[]> {
  const result = await database('payments').query<PublicEvent>(
    `select id, aggregate_id as "recordId", headers ->> 'x-event-type' as type, published_at is not null as published,
            (extract(epoch from created_at) * 1000)::float8 as at,
            data ->> 'refundId' as "refundId", data ->> 'disputeId' as "disputeId", data ->> 'disputeOutcome' as "disputeOutcome"
       from outbox, lateral (select convert_from(payload, 'UTF8')::json -> 'data' as data) event
      where aggregate_type = 'payment' and visibility = 1 order by seq`,
  )
  return result.rows
}

/** Returns the checkouts of which the provider's signed word that they are paid is stored, applied or not. */
export async function readProven({ database }: Pick<AuditedSystem, 'database'>): Promise<Set<string>> {
  const result = await database('payments').query<{ id: string }>(
    `select object_id as id from provider_events where type = 'checkout.session.completed'`,
  )
  return new Set(result.rows.map(({ id }) => id))
}

/** Reads each payment through the gateway. */
export async function readShown(
  { frontdesk }: Pick<AuditedSystem, 'frontdesk'>,
  rows: readonly Row[],
): Promise<Map<string, Shown>> {
  const shown = new Map<string, Shown>()
  await eachOf(rows, 16, async ({ id, site }) => {
    const record = await frontdesk.payments.get({ SiteSlug: site, PaymentIdentifier: id })
    shown.set(id, {
      statuses: record.History.map(({ Status }) => Status),
      amount: record.Amount,
      paidAmount: record.PaidAmount,
      refundedAmount: record.RefundedAmount,
      refunds: record.Refunds.map(({ RefundId, Status, Amount }) => ({ id: RefundId, status: Status, amount: Amount })),
    })
  })
  return shown
}

/** Returns what the subscribers of practices have received. */
export function receivedBy(practices: readonly Practice[]): Received[] {
  return practices.flatMap(({ subscriber }) =>
    subscriber.deliveries.map(({ webhookId, event }) => ({ webhookId, recordId: event.subject ?? '' })),
  )
}
