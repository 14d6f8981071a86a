import type { Queryable } from '@frontdesk/database'

/** Records that an endpoint asked for silence, for all replicas. A longer silence it asked for before stays. */
export async function throttleEndpoint(db: Queryable, endpointId: bigint, milliseconds: number): Promise<void> {
  await db.query(
    `update endpoints set throttled_until = greatest(throttled_until, now() + make_interval(secs => $2::float8 / 1000))
      where id = $1`,
    [endpointId, milliseconds],
  )
}

/**
 * Deletes the endpoints that no subscription has any more, of the `most` that follow `after`. Young ones stay: their
 * subscription may be on its way. Returns the last id that it looked at; undefined if there are no more.
 */
export async function deleteUnused(db: Queryable, after: bigint, most: number): Promise<bigint | undefined> {
  const result = await db.query<{ last: bigint | null }>(
    `with looked as (
       select id from endpoints where id > $1 order by id limit $2
     ), unused as (
       select e.id from endpoints e join looked on looked.id = e.id
        where e.created_at < now() - interval '1 day'
          and not exists (select 1 from subscriptions s where s.endpoint_id = e.id) for update of e skip locked
     ), deleted as (
       delete from endpoints e using unused where e.id = unused.id
     )
     select max(id) as last from looked`,
    [after, most],
  )
  return result.rows[0]?.last ?? undefined
}
