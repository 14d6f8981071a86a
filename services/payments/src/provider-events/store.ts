import type { EventData } from '@frontdesk/contracts'
import { firstRow, type Queryable } from '@frontdesk/database'
import { composeEvent, type EventOrigin } from '@frontdesk/events'
import { queuedEvent, type ReceivedWebhook } from '@frontdesk/providers'
import { validate as isUuid } from 'uuid'
import type { PaymentRow } from '../payments/rows.ts'

/**
 * Stores a provider's event, once, and puts it on our work queue, in one statement and so in one transaction. One that came
 * before changes nothing. A shelved one is stored, with the reason, and not queued.
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
      queued.id,
      queued.aggregateType,
      queued.aggregateId,
      queued.aggregateVersion,
      queued.visibility,
      queued.subject,
      JSON.stringify(queued.headers),
      queued.payload,
    ],
  })
}

const storeSql = `
  with stored as (
    insert into provider_events (provider, event_id, type, account, object_id, object_type, payment_intent_id, record_id,
                                 payload, note)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing
    returning note)
  insert into outbox (id, aggregate_type, aggregate_id, aggregate_version, visibility, subject, headers, payload)
  select $11::uuid, $12, $13, $14::int, $15::smallint, $16, $17::jsonb, $18::bytea from stored where note is null`

export interface Told {
  /** The checkout that the event is about, where it is about one. */
  checkoutId: string | undefined
  payment: PaymentRow
  /** All by Postgres's clock. What the provider is asked now is newer than anything asked before. */
  askedAt: Date
  receivedAt: Date
  /** Its message came before, and its effect was saved. */
  appliedAt: Date | null
}

/**
 * The payment that a stored event tells of: by the checkout, by our record id in the metadata, or by the payment intent.
 * The account must be the payment's own: metadata is the account holder's to write.
 */
export async function findTold(
  db: Queryable,
  { provider, providerEventId }: EventData<'provider.event.received'>,
): Promise<Told | undefined> {
  const result = await db.query<ToldRow>({
    name: 'provider-event-told',
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

interface ToldRow {
  event_object: string
  event_object_type: string
  event_received_at: Date
  event_applied_at: Date | null
  asked_at: Date
}

/** Notes what came of an event. */
export async function noteProviderEvent(db: Queryable, provider: string, eventId: string, note: string): Promise<void> {
  await db.query({
    name: 'provider-event-note',
    text: 'update provider_events set applied_at = now(), note = $3 where provider = $1 and event_id = $2',
    values: [provider, eventId, note],
  })
}

/** Deletes events received more than 30 days ago, 5000 at most; returns how many. */
export async function deleteOldProviderEvents(db: Queryable): Promise<number> {
  const result = await db.query(
    `delete from provider_events where ctid in
       (select ctid from provider_events where received_at < now() - interval '30 days' limit 5000)`,
  )
  return result.rowCount ?? 0
}
