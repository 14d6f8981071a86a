import { transaction, type Pool, type Transaction } from '@frontdesk/database'
import { manualRank } from '../leases/leased.ts'
import { credentialReasons } from '../subscriptions/domain.ts'
import type { Line } from './store.ts'

// Queues that one settling brings up to date; the next one takes the rest.
const mostQueues = 2_000

/** A line after it was settled. */
export interface SettledLine extends Line {
  /** Until its next delivery is due; undefined if nothing waits in it. */
  dueInMs: number | undefined
}

export interface Settled {
  lines: SettledLine[]
  /** Subscriptions that have ended: their deliveries are to be cancelled. */
  ended: string[]
}

/**
 * Brings lines up to date from which fewer deliveries were claimed than asked for: their queues wait for the next delivery,
 * or go. Returns the lines that it could bring up to date.
 *
 * Each row is locked by one statement, and its time found by a later one. A delivery that appears before the lock is seen,
 * because its transaction had locked the row until it was visible. One that appears after the lock waits for it, and then
 * lowers the time again. So no delivery is ever left behind.
 */
export function settleLines(pool: Pool, lines: readonly Line[], oldestId: string): Promise<Settled> {
  return transaction(pool, async (tx) => {
    const queues = await lockDueQueues(tx, lines)
    const resting = await lockResting(tx, [...new Set(queues.map((queue) => queue.subscription_id))])
    const paused = new Map(resting.filter((row) => !row.ended).map((row) => [row.id, row.lockedOut]))
    // What a person asked for is sent while the subscription is paused, unless its credential has ended.
    const rests = ({ subscription_id: id, rank }: QueueRow) =>
      rank === manualRank ? paused.get(id) === true : paused.has(id)
    await settleQueues(
      tx,
      queues.map((queue) => ({ ...queue, paused: rests(queue) })),
      oldestId,
    )
    const locked = await lockLines(tx, lines)
    return {
      lines: await settleLocked(tx, locked),
      ended: resting.filter((row) => row.ended).map((row) => row.id),
    }
  })
}

interface QueueRow {
  subscription_id: string
  rank: number
}

async function lockDueQueues(tx: Transaction, lines: readonly Line[]): Promise<QueueRow[]> {
  const result = await tx.query<QueueRow>(
    `select q.subscription_id, q.rank
       from unnest($1::bigint[], $2::int[]) as line (endpoint_id, rank) cross join lateral (
         select q.subscription_id, q.rank from delivery.waiting_queues q
          where q.endpoint_id = line.endpoint_id and q.rank = line.rank and q.next_at <= now()
          order by q.next_at limit ${mostQueues} for update skip locked) q
      limit ${mostQueues}`,
    [lines.map((line) => line.endpointId), lines.map((line) => line.rank)],
  )
  return result.rows
}

interface RestingRow {
  id: string
  ended: boolean
  lockedOut: boolean
}

/** Locks those of the subscriptions that are paused or have ended, so that none is resumed before its queues rest. */
async function lockResting(tx: Transaction, ids: readonly string[]): Promise<RestingRow[]> {
  const result = await tx.query<RestingRow>(
    `select id, coalesce(matches_until <= deleted_at, false) as ended, coalesce(pause_reason = any($2), false) as "lockedOut" from subscriptions
      where id = any($1) and (state = 'paused' or matches_until <= deleted_at) for share skip locked`,
    [ids, credentialReasons],
  )
  return result.rows
}

async function settleQueues(
  tx: Transaction,
  queues: readonly (QueueRow & { paused: boolean })[],
  oldestId: string,
): Promise<void> {
  if (queues.length === 0) return
  await tx.query({
    name: 'delivery-settle',
    text: `with next as materialized (
             select locked.subscription_id, locked.rank, locked.paused,
                    (select d.due_at from delivery.deliveries d
                      where d.subscription_id = locked.subscription_id and d.rank = locked.rank
                        and d.state = 'pending' and d.claim_id is null and d.event_id >= $4
                      order by d.due_at limit 1) as due_at
               from unnest($1::uuid[], $2::int[], $3::boolean[]) as locked (subscription_id, rank, paused)
           ), empty as (
             delete from delivery.waiting_queues q using next
              where q.subscription_id = next.subscription_id and q.rank = next.rank and next.due_at is null
           )
           update delivery.waiting_queues q set next_at = case when next.paused then 'infinity' else next.due_at end
             from next
            where q.subscription_id = next.subscription_id and q.rank = next.rank and next.due_at is not null`,
    values: [
      queues.map((queue) => queue.subscription_id),
      queues.map((queue) => queue.rank),
      queues.map((queue) => queue.paused),
      oldestId,
    ],
  })
}

async function lockLines(tx: Transaction, lines: readonly Line[]): Promise<Line[]> {
  const result = await tx.query<{ endpoint_id: bigint; rank: number }>(
    `select w.endpoint_id, w.rank from unnest($1::bigint[], $2::int[]) as line (endpoint_id, rank)
       join delivery.waiting_endpoints w on w.endpoint_id = line.endpoint_id and w.rank = line.rank
        for update of w skip locked`,
    [lines.map((line) => line.endpointId), lines.map((line) => line.rank)],
  )
  return result.rows.map((row) => ({ endpointId: row.endpoint_id, rank: row.rank }))
}

async function settleLocked(tx: Transaction, lines: readonly Line[]): Promise<SettledLine[]> {
  if (lines.length === 0) return []
  const result = await tx.query<{ endpoint_id: bigint; rank: number; due_in_ms: number | null }>({
    name: 'delivery-settle-lines',
    text: `with next as materialized (
             select line.endpoint_id, line.rank,
                    (select nullif(q.next_at, 'infinity') from delivery.waiting_queues q
                      where q.endpoint_id = line.endpoint_id and q.rank = line.rank order by q.next_at limit 1) as next_at
               from unnest($1::bigint[], $2::int[]) as line (endpoint_id, rank)
           ), empty as (
             delete from delivery.waiting_endpoints w using next
              where w.endpoint_id = next.endpoint_id and w.rank = next.rank and next.next_at is null
           ), later as (
             update delivery.waiting_endpoints w set next_at = next.next_at from next
              where w.endpoint_id = next.endpoint_id and w.rank = next.rank and next.next_at is not null
           )
           select endpoint_id, rank, (extract(epoch from next_at - now()) * 1000)::float8 as due_in_ms from next`,
    values: [lines.map((line) => line.endpointId), lines.map((line) => line.rank)],
  })
  return result.rows.map((row) => ({
    endpointId: row.endpoint_id,
    rank: row.rank,
    dueInMs: row.due_in_ms ?? undefined,
  }))
}
