import { transaction, type Pool, type Queryable } from '@frontdesk/database'
import { insertOutboxEvents, eventHeaders } from '@frontdesk/events'
import { recordAct, type Act } from '@frontdesk/service/audit'
import { v7 as uuidv7 } from 'uuid'
import { externalSubject, type ExternalEvent } from './domain.ts'

const aggregateType = 'external event'

/** What an event takes besides its own bytes: headers and subject. Small events cannot fill the stream either. */
export const overheadBytes = 512

export interface Publication {
  /** Who publishes: each client has its own share of the stream. */
  client: string
  siteSlug: string
  traceparent: string
  bytesPerDay: number
  act: Act
}

/** By how much a client's share would be exceeded. */
export interface Excess {
  /** What the client would have published today. */
  bytes: number
  /** Until the next day begins (UTC). */
  secondsLeft: number
}

/**
 * Publishes events, all or none, through the outbox to the stream EVT_EXTERNAL. An event that was published before (same
 * source and id, within the outbox's 7 days) is accepted and not published again. Returns the excess, and publishes
 * nothing, if the client's share of the day does not suffice.
 */
export async function publishExternalEvents(
  pool: Pool,
  events: readonly ExternalEvent[],
  { client, siteSlug, traceparent, bytesPerDay, act }: Publication,
): Promise<Excess | undefined> {
  const keyed = new Map(events.map((event) => [`${siteSlug} ${event.key}`, event]))
  return await transaction(pool, async (tx) => {
    await lockKeys(tx, [...keyed.keys()])
    const known = await publishedKeys(tx, [...keyed.keys()])
    const fresh = [...keyed].filter(([key]) => !known.has(key))
    if (fresh.length === 0) return undefined
    const bytes = fresh.reduce((sum, [, event]) => sum + event.payload.byteLength + overheadBytes, 0)
    const excess = await takeShare(tx, { client, events: fresh.length, bytes, bytesPerDay })
    if (excess !== undefined) return excess
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
    await recordAct(tx, act)
    return undefined
  })
}

interface Use {
  client: string
  events: number
  bytes: number
  bytesPerDay: number
}

/**
 * Adds to what a client has published today, unless that would be more than its share: then changes nothing and returns the
 * excess. Publications of one client wait for each other here. Forgets the client's days before the last week.
 */
async function takeShare(tx: Queryable, { client, events, bytes, bytesPerDay }: Use): Promise<Excess | undefined> {
  const taken = await tx.query<{ is_new: boolean }>(
    `insert into external_usage as present (client, day, events, bytes)
     select $1, (now() at time zone 'UTC')::date, $2::bigint, $3::bigint where $3::bigint <= $4::bigint
     on conflict (client, day) do update
        set events = present.events + excluded.events, bytes = present.bytes + excluded.bytes
      where present.bytes + excluded.bytes <= $4::bigint
     returning (xmax = 0) as is_new`,
    [client, events, bytes, bytesPerDay],
  )
  const [row] = taken.rows
  if (row?.is_new)
    await tx.query(`delete from external_usage where client = $1 and day < (now() at time zone 'UTC')::date - 7`, [
      client,
    ])
  if (row !== undefined) return undefined
  const left = await tx.query<{ bytes: string; seconds: number }>(
    `select coalesce(max(bytes), 0)::text as bytes,
            ceil(extract(epoch from (today + 1) - (now() at time zone 'UTC')))::int as seconds
       from (select (now() at time zone 'UTC')::date as today) as clock
       left join external_usage on client = $1 and day = today
      group by today`,
    [client],
  )
  const [used] = left.rows
  return { bytes: Number(used?.bytes ?? 0) + bytes, secondsLeft: Math.max(1, used?.seconds ?? 1) }
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
