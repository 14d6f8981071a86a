import type { Queryable } from '@frontdesk/database'
import { plainArray } from '../db.ts'
import { lowestIdAt } from '../partitions/days.ts'
import { longestLifeMs } from '../replies/outcome.ts'
import type { HeldDelivery } from './held.ts'

const day = 24 * 60 * 60 * 1000

/**
 * The lowest event id that may still have anything pending: deliveries end 14 days after their event, and are swept within
 * a day. Bounds the partitions that a statement has to look at.
 */
export function oldestOpenId(now: number): string {
  return lowestIdAt(now - longestLifeMs - day)
}

/** The smallest and the largest of some event ids: what bounds the partitions a statement has to look at. */
export function idBounds(ids: readonly string[]): [lowest: string, highest: string] {
  let lowest = ids[0] ?? ''
  let highest = lowest
  for (const id of ids) {
    if (id < lowest) lowest = id
    if (id > highest) highest = id
  }
  return [lowest, highest]
}

/** A delivery's next state, and the attempt that led to it. */
export interface Change {
  held: HeldDelivery
  state: 'pending' | 'delivered' | 'rejected' | 'exhausted' | 'expired'
  /** Until it is due again, in milliseconds; 0 where it has ended. */
  waitMs: number
  /** Whether the attempt counts against the schedule. */
  charged: boolean
  attempt: Attempt | undefined
  /** The receiver said that it is gone for good (410): the subscription is paused. */
  gone?: boolean
}

/** One request and what came of it. */
export interface Attempt {
  /** By this process's monotonic clock. */
  startedAt: number
  durationMs: number
  outcome: string
  statusCode: number | null
  error: string | null
  responseBody: Buffer | null
}

/**
 * Records the outcomes of deliveries that this process holds, and their attempts, in one statement. A delivery whose lease
 * was lost (another claim, cancelled, redelivered) is left as it is. Returns the places, in `changes`, of those recorded;
 * undefined where all of them were.
 */
export async function recordChanges(
  db: Queryable,
  changes: readonly Change[],
  now: number,
): Promise<Set<number> | undefined> {
  const [lowest, highest] = idBounds(changes.map((change) => change.held.eventId))
  const result = await db.query<{ places: number[] | null }>({
    name: 'delivery-record',
    text: recordSql,
    values: [
      ...keyColumns(changes.map((change) => change.held)),
      plainArray(changes.map((change) => change.state)),
      plainArray(changes.map((change) => Math.round(change.waitMs))),
      plainArray(changes.map((change) => (change.charged ? 1 : 0))),
      plainArray(changes.map((change) => change.held.rank)),
      lowest,
      highest,
      ...attemptColumns(changes, now),
    ],
  })
  const places = result.rows[0]?.places ?? undefined
  return places && new Set(places)
}

const recordSql = `
  with done as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::int[], $7::int[],
                         $10::int[], $11::int[], $12::text[], $13::int[], $14::text[], $15::bytea[])
      with ordinality as done (subscription_id, event_id, claim_id, state, wait_ms, charged, rank,
                               started_ms_ago, duration_ms, outcome, status_code, error, response_body, place)
  ), owned as (
    update delivery.deliveries d
       set attempts = d.attempts + (done.outcome is not null)::int,
           step = d.step + done.charged,
           state = done.state::delivery.delivery_state,
           claim_id = null,
           rank = done.rank,
           due_at = now() + make_interval(secs => done.wait_ms / 1000.0),
           completed_at = case when done.state = 'pending' then null else now() end
      from done
     where d.subscription_id = done.subscription_id and d.event_id = done.event_id
       and d.event_id between $8 and $9 and d.claim_id = done.claim_id
    returning done.*, d.attempts
  ), noted as (
    insert into delivery.attempts
      (event_id, subscription_id, number, started_at, duration_ms, outcome, status_code, error, response_body)
    select event_id, subscription_id, attempts, now() - make_interval(secs => started_ms_ago / 1000.0), duration_ms, outcome,
           status_code, error, response_body
      from owned where outcome is not null
  )
  select case when count(*) = cardinality($1) then null
              else coalesce(array_agg((place - 1)::int), '{}') end as places from owned`

/** Records attempts whose delivery was no longer ours when the answer came: they happened, but they change no state. */
export async function recordLateAttempts(db: Queryable, changes: readonly Change[], now: number): Promise<void> {
  const [lowest, highest] = idBounds(changes.map((change) => change.held.eventId))
  await db.query({
    name: 'delivery-record-late',
    text: lateSql,
    values: [
      plainArray(changes.map((change) => change.held.subscriptionId)),
      plainArray(changes.map((change) => change.held.eventId)),
      lowest,
      highest,
      ...attemptColumns(changes, now),
    ],
  })
}

const lateSql = `
  with done as (
    select * from unnest($1::uuid[], $2::uuid[], $5::int[], $6::int[], $7::text[], $8::int[], $9::text[], $10::bytea[])
      as done (subscription_id, event_id, started_ms_ago, duration_ms, outcome, status_code, error, response_body)
  ), late as (
    update delivery.deliveries d set attempts = d.attempts + 1
      from done
     where d.subscription_id = done.subscription_id and d.event_id = done.event_id and d.event_id between $3 and $4
    returning done.*, d.attempts
  )
  insert into delivery.attempts
    (event_id, subscription_id, number, started_at, duration_ms, outcome, status_code, error, response_body)
  select event_id, subscription_id, attempts, now() - make_interval(secs => started_ms_ago / 1000.0), duration_ms, outcome,
         status_code, error, response_body
    from late`

function attemptColumns(changes: readonly Change[], now: number): unknown[] {
  const attempts = changes.map((change) => change.attempt)
  return [
    plainArray(attempts.map((attempt) => (attempt === undefined ? null : Math.round(now - attempt.startedAt)))),
    plainArray(attempts.map((attempt) => (attempt === undefined ? null : Math.round(attempt.durationMs)))),
    plainArray(attempts.map((attempt) => attempt?.outcome)),
    plainArray(attempts.map((attempt) => attempt?.statusCode)),
    attempts.map((attempt) => attempt?.error?.replaceAll('\0', ' ') ?? null),
    attempts.map((attempt) => attempt?.responseBody ?? null),
  ]
}

/** Gives held deliveries back unsent: they are due at once, for whoever has room. Those no longer ours are left alone. */
export async function releaseDeliveries(db: Queryable, deliveries: readonly HeldDelivery[]): Promise<void> {
  const [lowest, highest] = idBounds(deliveries.map((held) => held.eventId))
  await db.query({
    name: 'delivery-release',
    text: `update delivery.deliveries d set claim_id = null, due_at = now()
             from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as held (subscription_id, event_id, claim_id)
            where d.subscription_id = held.subscription_id and d.event_id = held.event_id
              and d.event_id between $4 and $5 and d.claim_id = held.claim_id and d.state = 'pending'`,
    values: [...keyColumns(deliveries), lowest, highest],
  })
}

/** Extends the leases of held deliveries, in one statement. Returns the places, in `deliveries`, of those still ours. */
export async function extendLeases(
  db: Queryable,
  deliveries: readonly HeldDelivery[],
  leaseMs: number,
): Promise<number[]> {
  const [lowest, highest] = idBounds(deliveries.map((held) => held.eventId))
  const result = await db.query<{ place: number }>({
    name: 'delivery-extend',
    text: `update delivery.deliveries d set due_at = now() + make_interval(secs => $6::float8 / 1000)
             from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as held (subscription_id, event_id, claim_id, place)
            where d.subscription_id = held.subscription_id and d.event_id = held.event_id
              and d.event_id between $4 and $5 and d.claim_id = held.claim_id and d.state = 'pending'
           returning (held.place - 1)::int as place`,
    values: [...keyColumns(deliveries), lowest, highest, leaseMs],
  })
  return result.rows.map((row) => row.place)
}

function keyColumns(deliveries: readonly HeldDelivery[]): unknown[] {
  return [
    plainArray(deliveries.map((held) => held.subscriptionId)),
    plainArray(deliveries.map((held) => held.eventId)),
    plainArray(deliveries.map((held) => held.claimId)),
  ]
}

/** An endpoint asked for silence: all copies keep it. A longer one that was asked for before stays. */
export async function throttleEndpoint(db: Queryable, endpointId: bigint, milliseconds: number): Promise<void> {
  await db.query(
    `update endpoints set throttled_until = greatest(throttled_until, now() + make_interval(secs => $2::float8 / 1000))
      where id = $1`,
    [endpointId, milliseconds],
  )
}
