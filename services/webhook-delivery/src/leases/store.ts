import type { Queryable } from '@frontdesk/database'
import { plainArray } from '../db.ts'
import { idBounds } from '../event-ids.ts'
import type { LeasedDelivery } from './leased.ts'

/**
 * The condition, on `list` with ordinality over the array $1, that makes a statement look each delivery of the list up by its key.
 * It is always true, but Postgres takes it to leave a row or two. Otherwise it may read all deliveries between the bounds, once for
 * each of the list: statistics from before the newest events say that there are none.
 */
export const byKey = (list: string) => `${list}.place between 1 and cardinality($1::uuid[])`

/** Gives leased deliveries back unsent: they are due at once, for any replica. Those whose lease was lost are left alone. */
export async function releaseDeliveries(db: Queryable, deliveries: readonly LeasedDelivery[]): Promise<void> {
  const [lowest, highest] = idBounds(deliveries.map((delivery) => delivery.eventId))
  await db.query({
    name: 'delivery-release',
    text: releaseSql,
    values: [...keyColumns(deliveries), lowest, highest],
  })
}

// A delivery with a claim is pending. To say so here would offer another index to the planner.
const releaseSql = `
  update delivery.deliveries d set claim_id = null, due_at = now()
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as held (subscription_id, event_id, claim_id, place)
   where d.subscription_id = held.subscription_id and d.event_id = held.event_id and d.event_id between $4 and $5 and d.claim_id = held.claim_id
     and ${byKey('held')}`

/** Extends leases, in one statement. Returns the places, in `deliveries`, of those that this process still has. */
export async function extendLeases(
  db: Queryable,
  deliveries: readonly LeasedDelivery[],
  leaseMs: number,
): Promise<number[]> {
  const [lowest, highest] = idBounds(deliveries.map((delivery) => delivery.eventId))
  const result = await db.query<{ place: number }>({
    name: 'delivery-extend',
    text: extendSql,
    values: [...keyColumns(deliveries), lowest, highest, leaseMs],
  })
  return result.rows.map((row) => row.place)
}

const extendSql = `
  update delivery.deliveries d set due_at = now() + make_interval(secs => $6::float8 / 1000)
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as held (subscription_id, event_id, claim_id, place)
   where d.subscription_id = held.subscription_id and d.event_id = held.event_id and d.event_id between $4 and $5 and d.claim_id = held.claim_id
     and ${byKey('held')}
  returning (held.place - 1)::int as place`

/** Subscription ids, event ids and claim ids as three array parameters. */
export function keyColumns(deliveries: readonly LeasedDelivery[]): string[] {
  return [
    plainArray(deliveries.map((delivery) => delivery.subscriptionId)),
    plainArray(deliveries.map((delivery) => delivery.eventId)),
    plainArray(deliveries.map((delivery) => delivery.claimId)),
  ]
}

/** Frees deliveries whose lease has lapsed: their process is gone or hangs. They are due at once. Returns how many. */
export async function releaseLapsed(db: Queryable, oldestId: string): Promise<number> {
  const result = await db.query({
    name: 'delivery-lapsed',
    text: `update delivery.deliveries d set claim_id = null, due_at = now()
             from (select subscription_id, event_id from delivery.deliveries
                    where state = 'pending' and claim_id is not null and due_at <= now() and event_id >= $1
                    order by due_at limit 1000 for update skip locked) as lapsed
            where d.subscription_id = lapsed.subscription_id and d.event_id = lapsed.event_id and d.event_id >= $1`,
    values: [oldestId],
  })
  return result.rowCount ?? 0
}

/** Changes nothing; throws while Postgres takes no writes. */
export async function tryToWrite(db: Queryable): Promise<void> {
  await db.query('update delivery.deliveries set rank = rank where false')
}

/** The instances that have claims. */
export async function claimingInstances(db: Queryable, oldestId: string): Promise<string[]> {
  const result = await db.query<{ instance: string }>(
    `select distinct left(claim_id::text, 8) as instance from delivery.deliveries
      where state = 'pending' and claim_id is not null and event_id >= $1`,
    [oldestId],
  )
  return result.rows.map((row) => row.instance)
}

/** Frees every delivery that an instance had claimed. Returns how many. */
export async function releaseInstance(db: Queryable, instance: string, oldestId: string): Promise<number> {
  const result = await db.query(
    `update delivery.deliveries set claim_id = null, due_at = now()
      where state = 'pending' and claim_id is not null and left(claim_id::text, 8) = $1 and event_id >= $2`,
    [instance, oldestId],
  )
  return result.rowCount ?? 0
}

// "WHKD": our part of Postgres's advisory locks with two keys.
const lockClass = 0x57484b44

/** Takes the lock that shows an instance alive, for as long as the connection lasts. */
export async function lockInstance(connection: Queryable, instance: string): Promise<void> {
  await connection.query('select pg_advisory_lock($1::int, $2::int)', [
    lockClass,
    Buffer.from(instance, 'hex').readInt32BE(),
  ])
}

/** The instances that are alive. */
export async function liveInstances(db: Queryable): Promise<Set<string>> {
  const result = await db.query<{ instance: string }>({
    name: 'delivery-present',
    text: `select lpad(to_hex(objid::bigint), 8, '0') as instance from pg_locks
            where locktype = 'advisory' and classid = $1::bigint::oid and objsubid = 2 and granted
              and database = (select oid from pg_database where datname = current_database())`,
    values: [lockClass],
  })
  return new Set(result.rows.map((row) => row.instance))
}
