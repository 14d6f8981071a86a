import type { PaymentProvider as ProviderName } from '@frontdesk/contracts'
import type { Queryable } from '@frontdesk/database'

/** A replica that has told nothing for this long counts as dead: five of its beats are missing. */
const deadAfter = '10 seconds'

/** How long rows are kept; a test compares the tables with these rules. Dead rows go with the beat of a living replica. */
export const replicaRetention = {
  rule: 'a minute after its replica has last told that it lives',
  by: 'the other replicas',
} as const

/** A replica's own state at one provider, for the others to read. */
export interface Beat {
  provider: ProviderName
  /** For how many milliseconds the provider still has it wait. */
  slowedMs: number
}

/** The state of the other living replicas at one provider. */
export interface OtherReplicas {
  provider: ProviderName
  living: number
  /** The longest wait that the provider has told any of them, in milliseconds from now. */
  slowedMs: number
}

/** Tells that a replica lives, and returns what the others have told. In one statement; all times are by Postgres's clock. */
export async function beat(db: Queryable, replica: string, beats: readonly Beat[]): Promise<OtherReplicas[]> {
  const { rows } = await db.query<OtherReplicas>({
    name: 'provider-replica-beat',
    text: `
      with told as (
        insert into provider_replicas (provider, replica, seen_at, slowed_until)
        select provider, $1, now(), now() + slowed_ms * interval '1 millisecond'
          from unnest($2::text[], $3::float8[]) as mine (provider, slowed_ms)
        on conflict (provider, replica) do update set seen_at = excluded.seen_at, slowed_until = excluded.slowed_until),
      gone as (
        delete from provider_replicas where ctid = any(array(
          select ctid from provider_replicas where seen_at < now() - interval '1 minute' for update skip locked)))
      select provider,
             (count(*) filter (where seen_at > now() - interval '${deadAfter}'))::int as living,
             greatest(0, coalesce(max(extract(epoch from slowed_until - now())) * 1000, 0))::float8 as "slowedMs"
        from provider_replicas where replica <> $1 group by provider`,
    values: [replica, beats.map(({ provider }) => provider), beats.map(({ slowedMs }) => slowedMs)],
  })
  return rows
}

/** Tells that a replica is gone, so that the others share its calls at once. */
export async function leave(db: Queryable, replica: string): Promise<void> {
  await db.query('delete from provider_replicas where replica = $1', [replica])
}
