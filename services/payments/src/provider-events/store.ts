import type { EventData } from '@frontdesk/contracts'
import { firstRow, type Queryable } from '@frontdesk/database'
import { composeEvent, outboxInsert, outboxParameters, type EventOrigin } from '@frontdesk/events'
import { queuedEvent, type ReceivedWebhook } from '@frontdesk/providers'
import { validate as isUuid } from 'uuid'
import { paymentColumns } from '../payment/store.ts'
import type { PaidProof } from '../payment/outcome.ts'
import type { PaymentRow } from '../payment/wire.ts'

/**
 * Stores a provider's event and puts it on our work queue, in one statement and so in one transaction. An event that was
 * stored before changes nothing. A shelved event is stored with the reason and not queued.
 */
export async function storeProviderEvent(
  db: Queryable,
  origin: EventOrigin,
  webhook: ReceivedWebhook,
  traceparent: string,
): Promise<void> {
  const { provider, event, shelved } = webhook
  const queued = composeEvent(origin, { ...queuedEvent(webhook), time: new Date(), traceparent })
  await db.query({
    name: 'provider-event-store',
    text: storeSql,
    values: [
      provider,
      event.id,
      event.type,
      event.account,
      event.objectId,
      event.objectType,
      event.paymentIntentId,
      isUuid(event.recordId) ? event.recordId : null,
      event.kept,
      shelved,
      shelved === undefined ? proofOf(event) : null,
      ...outboxParameters([queued]),
    ],
  })
}

const storeSql = `
  with stored as (
    insert into provider_events (provider, event_id, type, account, object_id, object_type, payment_intent_id, record_id,
                                 payload, note, paid)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing
    returning note),
  unshelved as (select from stored where note is null)
  ${outboxInsert(12, 'unshelved')}`

/** A stored proof that a checkout is paid. */
type StoredProof = Omit<PaidProof, 'at'> & { at: string }

/** Returns what is stored of an event's statement that a checkout is paid; null if it states nothing of the kind. */
function proofOf({ paid, created, paymentIntentId }: ReceivedWebhook['event']): StoredProof | null {
  if (paid === undefined) return null
  const { id: checkoutId, amountTotal: amount, currency } = paid
  return { checkoutId, amount, currency, paymentIntentId, at: created.toISOString() }
}

/**
 * Returns the provider's signed statement that a payment's checkout is paid, if it was ever received. The event must be of the
 * payment's account: the holder of any other one can write any metadata.
 */
export async function findPaidProof(db: Queryable, row: PaymentRow): Promise<PaidProof | undefined> {
  const { rows } = await db.query<{ paid: StoredProof }>({
    name: 'provider-event-proof',
    text: `select paid from provider_events
            where record_id = $1 and paid is not null and provider = $2 and account = $3
              and ($4::text is null or object_id = $4)
            order by received_at limit 1`,
    values: [row.id, row.provider, row.providerAccountId, row.paymentId],
  })
  const [found] = rows
  return found && { ...found.paid, at: new Date(found.paid.at) }
}

/** The payment that a stored event is about. All times are by Postgres's clock. */
export interface EventPayment {
  payment: PaymentRow
  /** Undefined if the event is about another object than the checkout. */
  checkoutId: string | undefined
  /** Now: the provider is asked after this. */
  askedAt: Date
  receivedAt: Date
  /** Present if the event came before and its effect was saved. */
  appliedAt: Date | null
}

/**
 * Finds the payment of a stored event: by the checkout, by our record id in the metadata, or by the payment intent.
 * The event's account must be the payment's: the account holder can write any metadata.
 */
export async function findEventPayment(
  db: Queryable,
  { provider, providerEventId }: EventData<'provider.event.received'>,
): Promise<EventPayment | undefined> {
  const result = await db.query<EventPaymentRow>({
    name: 'provider-event-payment',
    text: `select ${paymentColumns}, event.object_id as event_object, event.object_type as event_object_type,
                  event.received_at as event_received_at, event.applied_at as event_applied_at,
                  clock_timestamp() as asked_at
             from provider_events event cross join lateral (
               select * from payments where payment_id = event.object_id
               union all
               select * from payments where id = event.record_id
               union all
               select * from payments where payment_intent_id = event.payment_intent_id) payments
            where event.provider = $1 and event.event_id = $2
              and payments.provider = event.provider and payments.provider_account_id = event.account
            limit 1`,
    values: [provider, providerEventId],
  })
  const row = result.rows[0]
  const payment = firstRow<PaymentRow>(result)
  if (row === undefined || payment === undefined) return undefined
  const checkoutId = row.event_object_type === 'checkout.session' ? row.event_object : undefined
  const { asked_at: askedAt, event_received_at: receivedAt, event_applied_at: appliedAt } = row
  return { checkoutId, payment, askedAt, receivedAt, appliedAt }
}

interface EventPaymentRow {
  event_object: string
  event_object_type: string
  event_received_at: Date
  event_applied_at: Date | null
  asked_at: Date
}

/** Marks an event as done, with a note for people. */
export async function noteProviderEvent(db: Queryable, provider: string, eventId: string, note: string): Promise<void> {
  await db.query({
    name: 'provider-event-note',
    text: 'update provider_events set applied_at = now(), note = $3 where provider = $1 and event_id = $2',
    values: [provider, eventId, note],
  })
}
