import { publicEventTypes } from '@frontdesk/contracts'
import { camelRows, type Queryable } from '@frontdesk/database'
import { plainArray } from '../db.ts'
import { lowestIdAt } from '../event-ids.ts'

/** Returns those of the event ids that are not stored. */
export async function findMissingEvents(db: Queryable, eventIds: readonly string[]): Promise<Set<string>> {
  const result = await db.query<{ event_id: string }>(
    `select event_id from unnest($1::uuid[]) as known (event_id)
      where not exists (select from delivery.events stored where stored.event_id = known.event_id)`,
    [plainArray(eventIds)],
  )
  return new Set(result.rows.map((row) => row.event_id))
}

/** An event of ours as it is stored here. */
export interface StoredEvent {
  eventId: string
  type: (typeof publicEventTypes)[number]
  payload: Buffer
}

/** Returns a page of our events that were made since a time, in the order of their ids, after `after`. */
export async function findStoredEvents(
  db: Queryable,
  { since, after, limit }: { since: Date; after: string | undefined; limit: number },
): Promise<StoredEvent[]> {
  const result = await db.query(
    `select event_id, type, payload from delivery.events
      where event_id > $1 and type = any($2) order by event_id limit $3`,
    [after ?? lowestIdAt(since.getTime()), [...publicEventTypes], limit],
  )
  return camelRows<StoredEvent>(result)
}
