import { camelRows, type Queryable } from '@frontdesk/database'
import { manualRank } from '../leases/leased.ts'

/** A subscription's health after its attempts were recorded. */
export interface RecordedHealth {
  id: string
  state: string
  pauseReason: string | null
  failingSince: Date | null
  failedAttempts: number
  /** Postgres's clock. */
  now: Date
}

/** Adds failures, and resets them for subscriptions that have answered. Returns the subscriptions that changed. */
export async function recordHealth(
  db: Queryable,
  counts: readonly { id: string; answered: boolean; failures: number }[],
): Promise<RecordedHealth[]> {
  const inOrder = counts.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return camelRows<RecordedHealth>(
    await db.query(
      `update subscriptions s
          set failing_since = case when counted.answered then null else coalesce(s.failing_since, now()) end,
              failed_attempts = case when counted.answered then 0 else s.failed_attempts + counted.failures end
         from unnest($1::uuid[], $2::boolean[], $3::int[]) as counted (id, answered, failures)
        where s.id = counted.id and (not counted.answered or s.failing_since is not null or s.state = 'paused')
       returning s.id, s.state, s.pause_reason, s.failing_since, s.failed_attempts, now() as now`,
      [
        inOrder.map((entry) => entry.id),
        inOrder.map((entry) => entry.answered),
        inOrder.map((entry) => entry.failures),
      ],
    ),
  )
}

/**
 * Makes one delivery due of each paused subscription whose probe is due: the one that has waited longest, as if a person
 * had asked for it. Its success resumes the subscription. Returns whether there is one to send.
 */
export async function probePaused(db: Queryable, probeMs: number): Promise<boolean> {
  const result = await db.query(
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
