import { transaction, type Pool } from '@frontdesk/database'
import { deleteOldInboxRows, type EventOrigin, type Relay } from '@frontdesk/events'
import { deleteExpiredKeys } from '@frontdesk/service/idempotency'
import { lowestIdAt } from './partitions/days.ts'
import { longestLifeMs } from './replies/outcome.ts'
import { manualRank } from './sending/held.ts'
import { appendExhausted, type ExhaustedDelivery } from './sending/effects.ts'

export interface Housekeeping {
  pool: Pool
  origin: EventOrigin
  relay: Relay
  probeMs: number
}

/**
 * Subscriptions that failure has paused are tried again, one delivery each: the one that has waited longest goes first, as
 * if a person had asked for it. Its success resumes the subscription. Returns whether there is one to send.
 */
export async function probePaused({ pool, probeMs }: Housekeeping): Promise<boolean> {
  const result = await pool.query(
    `with due as (
       update subscriptions set next_probe_at = now() + make_interval(secs => $1::float8 / 1000)
        where id in (select id from subscriptions where next_probe_at <= now() and state = 'paused' and deleted_at is null
                      order by next_probe_at limit 100 for update skip locked)
       returning id
     ), picked as (
       select waiting.* from due cross join lateral (
         select d.subscription_id, d.event_id from delivery.deliveries d
          where d.subscription_id = due.id and d.state = 'pending' and d.claim_id is null
          order by d.rank, d.due_at limit 1 for update skip locked) as waiting
     )
     update delivery.deliveries d set rank = $2, due_at = now() from picked
      where d.subscription_id = picked.subscription_id and d.event_id = picked.event_id`,
    [probeMs, manualRank],
  )
  return (result.rowCount ?? 0) > 0
}

/**
 * Ends what is still pending 14 days after its event: of paused subscriptions, mostly, for the others are ended when they
 * are due. Returns whether there may be more.
 */
export async function endOverdue({ pool, origin, relay }: Housekeeping, now: number): Promise<boolean> {
  const most = 500
  const ended = await transaction(pool, async (tx) => {
    const result = await tx.query<{ subscription_id: string; event_id: string; attempts: number }>(
      `update delivery.deliveries d set state = 'exhausted', completed_at = now()
         from (select subscription_id, event_id from delivery.deliveries
                where state = 'pending' and claim_id is null and event_id < $1 limit ${most} for update skip locked) as overdue
        where d.subscription_id = overdue.subscription_id and d.event_id = overdue.event_id
       returning d.subscription_id, d.event_id, d.attempts`,
      [lowestIdAt(now - longestLifeMs)],
    )
    const exhausted = result.rows.map((row): ExhaustedDelivery => ({
      subscriptionId: row.subscription_id,
      eventId: row.event_id,
      attempts: row.attempts,
      unsent: true,
    }))
    await appendExhausted(tx, origin, exhausted)
    return exhausted.length
  })
  if (ended > 0) relay.wake()
  return ended === most
}

/** Deletes receipts and keys that nobody will ask for again. */
export async function tidyUp({ pool }: Housekeeping): Promise<void> {
  await deleteExpiredKeys(pool)
  await deleteOldInboxRows(pool)
}
