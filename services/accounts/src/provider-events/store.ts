import type { PaymentProvider } from '@frontdesk/contracts'
import type { Queryable } from '@frontdesk/database'
import { composeEvent, outboxInsert, outboxParameters, type EventOrigin } from '@frontdesk/events'
import { queuedEvent, type ReceivedWebhook } from '@frontdesk/providers'
import type { Database } from '../db.ts'

/**
 * Stores a provider's event, once, and puts it on our work queue, in one statement. A repeated event changes nothing; a
 * shelved one is stored with the reason, and not queued.
 */
export async function storeProviderEvent(
  db: Queryable,
  origin: EventOrigin,
  webhook: ReceivedWebhook,
  traceparent: string,
): Promise<void> {
  const { provider, event, shelved } = webhook
  const queued = { ...queuedEvent(webhook), time: new Date(), traceparent }
  await db.query({
    name: 'provider-event-store',
    text: storeSql,
    values: [
      provider,
      event.id,
      event.type,
      event.account,
      event.objectId,
      event.kept,
      shelved,
      ...outboxParameters(shelved === undefined ? [composeEvent(origin, queued)] : []),
    ],
  })
}

const storeSql = `
  with stored as (
    insert into provider_events (provider, event_id, type, account, object_id, payload, note)
    values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing
    returning event_id)
  ${outboxInsert(8, 'stored')}`

/** Returns whether an event was applied before. */
export async function isApplied(
  prisma: Database['prisma'],
  provider: PaymentProvider,
  eventId: string,
): Promise<boolean> {
  const event = await prisma.providerEvent.findUnique({ where: { provider_eventId: { provider, eventId } } })
  return event !== null && event.appliedAt !== null
}

/** Marks an event as applied, and notes the outcome. */
export async function noteProviderEvent(db: Queryable, provider: string, eventId: string, note: string): Promise<void> {
  await db.query({
    name: 'provider-event-note',
    text: 'update provider_events set applied_at = now(), note = $3 where provider = $1 and event_id = $2',
    values: [provider, eventId, note],
  })
}
