import type { Queryable } from '@frontdesk/database'

/**
 * Records, in the transaction of its effect, that `consumer` has received an event.
 * Returns false where it had before: then there is nothing to do but to acknowledge.
 * An event is unique by source and id (CloudEvents 1.0.2).
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

/** Deletes receipts older than 30 days (above every stream's age and the replay window), 5000 at most; returns how many. */
export async function deleteOldReceipts(db: Queryable): Promise<number> {
  const result = await db.query(
    `delete from inbox where ctid in
       (select ctid from inbox where received_at < now() - interval '30 days' limit 5000)`,
  )
  return result.rowCount ?? 0
}
