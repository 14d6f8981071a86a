import type { Queryable } from '@frontdesk/database'

/** Records that an endpoint asked for silence, for all replicas. A longer silence it asked for before stays. */
export async function throttleEndpoint(db: Queryable, endpointId: bigint, milliseconds: number): Promise<void> {
  await db.query(
    `update endpoints set throttled_until = greatest(throttled_until, now() + make_interval(secs => $2::float8 / 1000))
      where id = $1`,
    [endpointId, milliseconds],
  )
}
