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
