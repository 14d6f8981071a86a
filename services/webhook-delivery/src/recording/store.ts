import { camelRows, type Queryable } from '@frontdesk/database'
import type { EventSite } from '@frontdesk/events'
import { plainArray } from '../db.ts'
import { idBounds } from '../event-ids.ts'
import type { LeasedDelivery } from '../leases/leased.ts'
import { byKey, keyColumns } from '../leases/store.ts'

/** A delivery's next state, and the attempt that led to it. */
export interface Change {
  delivery: LeasedDelivery
  state: 'pending' | 'delivered' | 'rejected' | 'exhausted' | 'expired'
  /** Until it is due again, in milliseconds; 0 if it has ended. */
  waitMs: number
  /** Whether the attempt counts against the schedule. */
  charged: boolean
  attempt: Attempt | undefined
  /** The receiver answered that it is gone for good (410): the subscription is paused. */
  gone?: boolean
}

/** One request and its outcome. */
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
 * Records the outcomes of leased deliveries, and their attempts, in one statement. A delivery whose lease was lost (another
 * claim, cancelled, redelivered) is left as it is. Returns the places, in `changes`, of the recorded ones; undefined if
 * all were recorded.
 */
export async function recordChanges(
  db: Queryable,
  changes: readonly Change[],
  now: number,
): Promise<Set<number> | undefined> {
  const [lowest, highest] = idBounds(changes.map((change) => change.delivery.eventId))
  const result = await db.query<{ places: number[] | null }>({
    name: 'delivery-record',
    text: recordSql,
    values: [
      ...keyColumns(changes.map((change) => change.delivery)),
      plainArray(changes.map((change) => change.state)),
      plainArray(changes.map((change) => Math.round(change.waitMs))),
      plainArray(changes.map((change) => (change.charged ? 1 : 0))),
      plainArray(changes.map((change) => change.delivery.rank)),
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
       and d.event_id between $8 and $9 and d.claim_id = done.claim_id and ${byKey('done')}
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

/** Records attempts whose lease was lost before the answer came: they happened, but they change no state. */
export async function recordLateAttempts(db: Queryable, changes: readonly Change[], now: number): Promise<void> {
  const [lowest, highest] = idBounds(changes.map((change) => change.delivery.eventId))
  await db.query({
    name: 'delivery-record-late',
    text: lateSql,
    values: [
      plainArray(changes.map((change) => change.delivery.subscriptionId)),
      plainArray(changes.map((change) => change.delivery.eventId)),
      lowest,
      highest,
      ...attemptColumns(changes, now),
    ],
  })
}

const lateSql = `
  with done as (
    select * from unnest($1::uuid[], $2::uuid[], $5::int[], $6::int[], $7::text[], $8::int[], $9::text[], $10::bytea[])
      with ordinality as done (subscription_id, event_id, started_ms_ago, duration_ms, outcome, status_code, error, response_body, place)
  ), late as (
    update delivery.deliveries d set attempts = d.attempts + 1
      from done
     where d.subscription_id = done.subscription_id and d.event_id = done.event_id and d.event_id between $3 and $4
       and ${byKey('done')}
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

/** A delivery that will not be sent any more. */
export interface ExhaustedDelivery {
  subscriptionId: string
  eventId: string
  attempts: number
  /** Its time ran out; otherwise its last attempt failed. */
  unsent: boolean
}

/** The types and sites of these deliveries' events; `place` is the place in `exhausted`. */
export async function eventsOf(
  db: Queryable,
  exhausted: readonly ExhaustedDelivery[],
): Promise<{ place: number; type: string; site: EventSite }[]> {
  const result = await db.query<{ place: number; type: string; site: EventSite }>(
    `select (ended.place - 1)::int as place, e.type, s.site
       from unnest($1::uuid[], $2::uuid[]) with ordinality as ended (subscription_id, event_id, place)
       join delivery.events e on e.event_id = ended.event_id
       join subscriptions s on s.id = ended.subscription_id`,
    [exhausted.map((ended) => ended.subscriptionId), exhausted.map((ended) => ended.eventId)],
  )
  return result.rows
}

/**
 * Ends pending deliveries of events older than `oldestId`, `most` at a time, unless somebody is sending them. Leases that
 * have lapsed do not count: nobody takes over deliveries that old. Returns those that ended.
 */
export async function exhaustOverdue(db: Queryable, oldestId: string, most: number): Promise<ExhaustedDelivery[]> {
  return camelRows<ExhaustedDelivery>(
    await db.query(
      `update delivery.deliveries d set state = 'exhausted', completed_at = now(), claim_id = null
         from (select * from (select subscription_id, event_id from delivery.deliveries
                                where state = 'pending' and claim_id is null and event_id < $1
                                limit $2 for update skip locked) as waiting
               union all
               select * from (select subscription_id, event_id from delivery.deliveries
                               where state = 'pending' and claim_id is not null and due_at < now() - interval '1 minute'
                                 and event_id < $1
                               limit $2 for update skip locked) as lapsed) as overdue
        where d.subscription_id = overdue.subscription_id and d.event_id = overdue.event_id
       returning d.subscription_id, d.event_id, d.attempts, true as unsent`,
      [oldestId, most],
    ),
  )
}
