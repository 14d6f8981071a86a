import { camelRows, type Queryable } from '@frontdesk/database'
import { manualRank, type LeasedDelivery } from '../leases/leased.ts'
import { traceparentIn } from '../traceparent.ts'

/** Deliveries of one subscription and rank that wait in Postgres: when the first of them is due. */
export interface WaitingPair {
  subscriptionId: string
  rank: number
  endpointId: bigint
  dueInMs: number
  /** The subscription is paused: only deliveries that a person or a probe asked for are sent. */
  paused: boolean
  /** The subscription ended in the moment these were made: they are cancelled. */
  ended: boolean
  /** For how long the endpoint still asks for silence; 0 if it does not. */
  throttledMs: number
}

/**
 * The deliveries that wait, as one row per subscription and rank. The statement hops through the index from one pair to
 * the next, so its cost grows with the number of pairs and not with the deliveries behind them.
 */
export async function pollWaiting(db: Queryable, oldestId: string): Promise<WaitingPair[]> {
  return camelRows<WaitingPair>(await db.query({ name: 'delivery-poll', text: pollSql, values: [oldestId] }))
}

const waiting = `state = 'pending' and claim_id is null and event_id >= $1`
const pollSql = `
  with recursive pairs as (
    (select subscription_id, rank, due_at from delivery.deliveries where ${waiting}
      order by subscription_id, rank, due_at limit 1)
    union all
    select following.* from pairs cross join lateral (
      select d.subscription_id, d.rank, d.due_at from delivery.deliveries d
       where ${waiting} and (d.subscription_id, d.rank) > (pairs.subscription_id, pairs.rank)
       order by d.subscription_id, d.rank, d.due_at limit 1) as following
  )
  select pairs.subscription_id, pairs.rank, s.endpoint_id, s.state = 'paused' as paused,
         coalesce(s.matches_until <= s.deleted_at, false) as ended,
         (extract(epoch from pairs.due_at - now()) * 1000)::float8 as due_in_ms,
         greatest(0, coalesce(extract(epoch from p.throttled_until - now()), 0) * 1000)::float8 as throttled_ms
    from pairs
    join subscriptions s on s.id = pairs.subscription_id
    join endpoints p on p.id = s.endpoint_id`

/** How many deliveries to claim of a subscription and rank. */
export interface Quota {
  subscriptionId: string
  rank: number
  most: number
}

export interface Claimed {
  /** Postgres's clock, epoch milliseconds. */
  now: number
  deliveries: LeasedDelivery[]
  /** In the order of the quotas: how many were claimed, and when the next one after now is due. */
  pairs: { claimed: number; nextDueInMs: number | undefined }[]
}

/** Leases due deliveries, the longest due first. Rows that another replica is claiming are passed over. */
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
      quotas.map((quota) => quota.subscriptionId),
      quotas.map((quota) => quota.rank),
      quotas.map((quota) => quota.most),
      terms.claimId,
      terms.leaseMs,
      terms.oldestId,
    ],
  })
  const pairs = quotas.map(() => ({ claimed: 0, nextDueInMs: undefined as number | undefined }))
  const deliveries: LeasedDelivery[] = []
  for (const row of result.rows) {
    const pair = pairs[row.place]
    if (pair === undefined) continue
    pair.nextDueInMs = row.next_due_in_ms ?? undefined
    if (row.event_id === null) continue
    pair.claimed++
    deliveries.push(leasedDelivery(row, row.event_id, terms.claimId, askedAt + terms.leaseMs))
  }
  return { now: result.rows[0]?.now_ms ?? 0, deliveries, pairs }
}

interface ClaimRow {
  place: number
  now_ms: number
  next_due_in_ms: number | null
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

const due = `d.state = 'pending' and d.claim_id is null and d.event_id >= $6`
const claimSql = `
  with wanted as (
    select * from unnest($1::uuid[], $2::int[], $3::int[]) with ordinality as wanted (subscription_id, rank, most, place)
  ), picked as (
    select wanted.place, due.* from wanted
      join subscriptions s on s.id = wanted.subscription_id and (s.state = 'active' or wanted.rank = ${manualRank})
       and (s.deleted_at is null or s.matches_until > s.deleted_at)
     cross join lateral (
      select d.subscription_id, d.event_id from delivery.deliveries d
       where d.subscription_id = wanted.subscription_id and d.rank = wanted.rank and ${due} and d.due_at <= now()
       order by d.due_at limit wanted.most for update skip locked) as due
  ), claimed as (
    update delivery.deliveries d set claim_id = $4, due_at = now() + make_interval(secs => $5::float8 / 1000)
      from picked
     where d.subscription_id = picked.subscription_id and d.event_id = picked.event_id and ${due}
    returning picked.place, d.subscription_id, d.event_id, d.attempts, d.step, d.rank
  ), sendable as (
    select c.*, e.payload, e.expires_at, e.rank as event_rank, s.endpoint_id, s.version, s.failing_since is not null as failing
      from claimed c
      join delivery.events e on e.event_id = c.event_id and e.event_id >= $6
      join subscriptions s on s.id = c.subscription_id
  )
  select (wanted.place - 1)::int as place, (extract(epoch from now()) * 1000)::float8 as now_ms,
         (select (extract(epoch from d.due_at - now()) * 1000)::float8 from delivery.deliveries d
           where d.subscription_id = wanted.subscription_id and d.rank = wanted.rank and ${due} and d.due_at > now()
           order by d.due_at limit 1) as next_due_in_ms,
         sendable.event_id, sendable.subscription_id, sendable.endpoint_id, sendable.version, sendable.failing,
         sendable.attempts, sendable.step, sendable.rank, sendable.event_rank, sendable.payload, sendable.expires_at
    from wanted left join sendable on sendable.place = wanted.place`
