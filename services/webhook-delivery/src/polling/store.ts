import { camelRows, type Queryable } from '@frontdesk/database'
import { manualRank, type LeasedDelivery } from '../leases/leased.ts'
import { credentialReasons } from '../subscriptions/domain.ts'
import { traceparentIn } from '../traceparent.ts'

/** Deliveries of one endpoint and rank that wait in Postgres. */
export interface Line {
  endpointId: bigint
  rank: number
}

/** A line that is due, or soon is. */
export interface DueLine extends Line {
  dueInMs: number
  /** For how long the endpoint still asks for silence; 0 if it does not. */
  throttledMs: number
}

/**
 * The lines that are due within `terms.aheadMs`, those that have waited longest first. They go to the end: for about
 * `terms.visitMs`, or until the endpoint's silence ends, other polls find the lines behind them. So one poll costs as much
 * as it returns, and nothing that cannot be sent hides what can. Half of that time more or less, by chance, so that thousands
 * of lines that were visited together do not come together for ever.
 */
export async function visitDue(
  db: Queryable,
  terms: { most: number; aheadMs: number; visitMs: number },
): Promise<DueLine[]> {
  return camelRows<DueLine>(
    await db.query({
      name: 'delivery-poll',
      text: `with due as (
               select endpoint_id, rank from delivery.waiting_endpoints
                where next_at <= now() + make_interval(secs => $2::float8 / 1000)
                order by next_at limit $1 for update skip locked
             ), visited as (
               update delivery.waiting_endpoints w
                  set next_at = greatest(now() + make_interval(secs => $3::float8 / 1000 * (0.5 + random())), p.throttled_until)
                 from due join endpoints p on p.id = due.endpoint_id
                where w.endpoint_id = due.endpoint_id and w.rank = due.rank
               returning w.endpoint_id, w.rank, p.throttled_until
             )
             select endpoint_id, rank,
                    (extract(epoch from coalesce((select q.next_at from delivery.waiting_queues q
                       where q.endpoint_id = visited.endpoint_id and q.rank = visited.rank order by q.next_at limit 1), now()) - now())
                     * 1000)::float8 as due_in_ms,
                    greatest(0, coalesce(extract(epoch from throttled_until - now()), 0) * 1000)::float8 as throttled_ms
               from visited`,
      values: [terms.most, terms.aheadMs, terms.visitMs],
    }),
  )
}

/** Lets lines rest for a while, unless something in them was added since they were visited. */
export async function postponeLines(db: Queryable, lines: readonly (Line & { waitMs: number })[]): Promise<void> {
  await db.query(
    `update delivery.waiting_endpoints w set next_at = now() + make_interval(secs => later.wait_ms / 1000.0)
       from (select w.endpoint_id, w.rank, later.wait_ms
               from unnest($1::bigint[], $2::int[], $3::int[]) as later (endpoint_id, rank, wait_ms)
               join delivery.waiting_endpoints w on w.endpoint_id = later.endpoint_id and w.rank = later.rank
              where w.next_at > now() for update of w skip locked) later
      where w.endpoint_id = later.endpoint_id and w.rank = later.rank`,
    [lines.map((line) => line.endpointId), lines.map((line) => line.rank), lines.map((line) => Math.ceil(line.waitMs))],
  )
}

/** How many deliveries to claim of a line. */
export interface Quota extends Line {
  most: number
}

export interface Claimed {
  /** Postgres's clock, epoch milliseconds. */
  now: number
  deliveries: LeasedDelivery[]
  /** How many were claimed, in the order of the quotas. */
  counts: number[]
}

/**
 * Leases due deliveries: of each line those of the subscriptions that have waited longest, in equal shares. Rows that
 * another replica is claiming are passed over.
 */
export async function claimDue(
  db: Queryable,
  quotas: readonly Quota[],
  terms: { claimId: string; leaseMs: number; oldestId: string },
): Promise<Claimed> {
  const askedAt = performance.now()
  const result = await db.query<ClaimRow>({
    name: 'delivery-claim',
    text: claimSql,
    values: [
      quotas.map((quota) => quota.endpointId),
      quotas.map((quota) => quota.rank),
      quotas.map((quota) => quota.most),
      terms.claimId,
      terms.leaseMs,
      terms.oldestId,
    ],
  })
  const counts = quotas.map(() => 0)
  const deliveries: LeasedDelivery[] = []
  for (const row of result.rows) {
    if (row.event_id === null) continue
    counts[row.place] = (counts[row.place] ?? 0) + 1
    deliveries.push(leasedDelivery(row, row.event_id, terms.claimId, askedAt + terms.leaseMs))
  }
  return { now: result.rows[0]?.now_ms ?? 0, deliveries, counts }
}

interface ClaimRow {
  place: number
  now_ms: number
  event_id: string | null
  subscription_id: string
  endpoint_id: bigint
  version: number
  failing: boolean
  attempts: number
  step: number
  rank: number
  event_rank: number
  payload: Buffer
  expires_at: Date | null
}

function leasedDelivery(row: ClaimRow, eventId: string, claimId: string, leasedUntil: number): LeasedDelivery {
  return {
    subscriptionId: row.subscription_id,
    eventId,
    claimId,
    endpointId: row.endpoint_id,
    version: row.version,
    failing: row.failing,
    rank: row.event_rank,
    manual: row.rank === manualRank,
    attempts: row.attempts,
    step: row.step,
    payload: row.payload,
    traceparent: traceparentIn(row.payload),
    expiresAt: row.expires_at?.getTime(),
    leasedUntil,
  }
}

const lockedOut = credentialReasons.map((reason) => `'${reason}'`).join()
const due = `d.state = 'pending' and d.claim_id is null and d.event_id >= $6`
const claimSql = `
  with wanted as (
    select * from unnest($1::bigint[], $2::int[], $3::int[]) with ordinality as wanted (endpoint_id, rank, most, place)
  ), queues as (
    select wanted.place, wanted.most, wanted.rank, due.subscription_id, count(*) over (partition by wanted.place) as queues
      from wanted cross join lateral (
        select q.subscription_id from delivery.waiting_queues q join subscriptions s on s.id = q.subscription_id
         where q.endpoint_id = wanted.endpoint_id and q.rank = wanted.rank and q.next_at <= now()
           and (s.state = 'active' or (wanted.rank = ${manualRank} and s.pause_reason not in (${lockedOut})))
           and (s.deleted_at is null or s.matches_until > s.deleted_at)
         order by q.next_at limit wanted.most) as due
  ), picked as (
    select queues.place, due.* from queues cross join lateral (
      select d.subscription_id, d.event_id from delivery.deliveries d
       where d.subscription_id = queues.subscription_id and d.rank = queues.rank and ${due} and d.due_at <= now()
       order by d.due_at limit (queues.most + queues.queues - 1) / queues.queues for update skip locked) as due
  ), claimed as (
    -- The rows are locked: they are as they were when they were picked.
    update delivery.deliveries d set claim_id = $4, due_at = now() + make_interval(secs => $5::float8 / 1000)
      from picked
     where d.subscription_id = picked.subscription_id and d.event_id = picked.event_id and d.event_id >= $6
    returning picked.place, d.subscription_id, d.event_id, d.attempts, d.step, d.rank
  ), sendable as (
    select c.*, e.payload, e.expires_at, e.rank as event_rank, s.endpoint_id, s.version, s.failing_since is not null as failing
      from claimed c
      join delivery.events e on e.event_id = c.event_id and e.event_id >= $6
      join subscriptions s on s.id = c.subscription_id
  )
  select (sendable.place - 1)::int as place, (extract(epoch from now()) * 1000)::float8 as now_ms,
         sendable.event_id, sendable.subscription_id, sendable.endpoint_id, sendable.version, sendable.failing,
         sendable.attempts, sendable.step, sendable.rank, sendable.event_rank, sendable.payload, sendable.expires_at
    from (select 1) as always left join sendable on true`
