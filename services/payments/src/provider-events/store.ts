import type { EventData } from '@frontdesk/contracts'
import { firstRow, type Queryable } from '@frontdesk/database'
import { composeEvent, outboxInsert, outboxParameters, type EventOrigin } from '@frontdesk/events'
import { queuedEvent, type ReceivedWebhook } from '@frontdesk/providers'
import { validate as isUuid } from 'uuid'
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
  const { provider, event, payload, shelved } = webhook
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
      payload,
      shelved,
      ...outboxParameters([queued]),
    ],
  })
}

const storeSql = `
  with stored as (
    insert into provider_events (provider, event_id, type, account, object_id, object_type, payment_intent_id, record_id,
                                 payload, note)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing
    returning note),
  unshelved as (select from stored where note is null)
  ${outboxInsert(11, 'unshelved')}`

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
    text: `select payment.*, event.object_id as event_object, event.object_type as event_object_type,
                  event.received_at as event_received_at, event.applied_at as event_applied_at,
                  clock_timestamp() as asked_at
             from provider_events event cross join lateral (
               select * from payments where payment_id = event.object_id
               union all
               select * from payments where id = event.record_id
               union all
               select * from payments where payment_intent_id = event.payment_intent_id) payment
            where event.provider = $1 and event.event_id = $2
              and payment.provider = event.provider and payment.provider_account_id = event.account
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

/** Deletes at most 5000 events that were received more than 30 days ago; returns how many. */
export async function deleteOldProviderEvents(db: Queryable): Promise<number> {
  const result = await db.query(
    `delete from provider_events where ctid in
       (select ctid from provider_events where received_at < now() - interval '30 days' limit 5000)`,
  )
  return result.rowCount ?? 0
}
