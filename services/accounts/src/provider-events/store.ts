import { transaction, type Pool, type Queryable } from '@frontdesk/database'
import { appendToOutbox, type EventOrigin } from '@frontdesk/events'
import { queuedEvent, type ReceivedWebhook } from '@frontdesk/providers'

/**
 * Stores a provider's event, once, and puts it on our work queue, in one transaction. One that came before changes
 * nothing. A shelved one is stored, with the reason, and not queued.
 */
export async function storeProviderEvent(
  pool: Pool,
  origin: EventOrigin,
  webhook: ReceivedWebhook,
  traceparent: string,
): Promise<void> {
  const { provider, event, payload, shelved } = webhook
  await transaction(pool, async (tx) => {
    const stored = await tx.query({
      name: 'provider-event-store',
      text: `insert into provider_events (provider, event_id, type, account, object_id, payload, note)
             values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      values: [provider, event.id, event.type, event.account, event.objectId, payload, shelved],
    })
    if (stored.rowCount === 0 || shelved !== undefined) return
    await appendToOutbox(tx, origin, [{ ...queuedEvent(webhook), time: new Date(), traceparent }])
  })
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
