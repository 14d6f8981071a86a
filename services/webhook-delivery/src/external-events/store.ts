import { transaction, type Pool, type Queryable } from '@frontdesk/database'
import { insertOutboxEvents, eventHeaders } from '@frontdesk/events'
import { v7 as uuidv7 } from 'uuid'
import { externalSubject, type ExternalEvent } from './domain.ts'

const aggregateType = 'external event'

/**
 * Publishes events, all or none, through the outbox to the stream EVT_EXTERNAL. An event that was published before (same
 * source and id, within the outbox's 7 days) is accepted and not published again.
 */
export async function publishExternalEvents(
  pool: Pool,
  events: readonly ExternalEvent[],
  { siteSlug, traceparent }: { siteSlug: string; traceparent: string },
): Promise<void> {
  const keyed = new Map(events.map((event) => [`${siteSlug} ${event.key}`, event]))
  await transaction(pool, async (tx) => {
    await lockKeys(tx, [...keyed.keys()])
    const known = await publishedKeys(tx, [...keyed.keys()])
    const fresh = [...keyed].filter(([key]) => !known.has(key))
    await insertOutboxEvents(
      tx,
      fresh.map(([key, event]) => ({
        id: uuidv7(),
        aggregateType,
        aggregateId: key,
        aggregateVersion: 1,
        visibility: event.visibility,
        subject: externalSubject(event.type, event.visibility, siteSlug),
        headers: eventHeaders(event.type, traceparent),
        payload: event.payload,
      })),
    )
  })
}

/** Makes concurrent publications of one event wait for each other. The locks are sorted, so that two batches cannot deadlock. */
async function lockKeys(tx: Queryable, keys: readonly string[]): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(hash) from
       (select distinct hashtextextended(key, 0) as hash from unnest($1::text[]) as key order by hash) as hashes`,
    [keys],
  )
}

async function publishedKeys(tx: Queryable, keys: readonly string[]): Promise<Set<string>> {
  const result = await tx.query<{ aggregate_id: string }>(
    'select aggregate_id from outbox where aggregate_type = $1 and aggregate_id = any($2)',
    [aggregateType, keys],
  )
  return new Set(result.rows.map((row) => row.aggregate_id))
}
