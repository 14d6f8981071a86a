import type { Queryable } from '@frontdesk/database'

/**
 * Inserts the inbox row of an event, in the transaction of the event's effect. Returns false if `consumer` had received the
 * event before: then only acknowledge it. An event is unique by source and id (CloudEvents 1.0.2).
 */
export async function receiveOnce(
  tx: Queryable,
  consumer: string,
  event: { source: string; id: string },
): Promise<boolean> {
  const result = await tx.query({
    name: 'inbox-receive',
    text: 'insert into inbox (consumer, source, event_id) values ($1, $2, $3) on conflict do nothing',
    values: [consumer, event.source, event.id],
  })
  return result.rowCount === 1
}

/** Deletes up to 5000 inbox rows over 30 days old (every stream and the replay window are shorter). Returns how many. */
export async function deleteOldInboxRows(db: Queryable): Promise<number> {
  const result = await db.query(
    `delete from inbox where ctid in
       (select ctid from inbox where received_at < now() - interval '30 days' limit 5000)`,
  )
  return result.rowCount ?? 0
}
