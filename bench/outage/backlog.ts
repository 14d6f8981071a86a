import type { Pool } from '@frontdesk/database'

/** Returns the ids of the open payments. */
export async function readBacklog(payments: Pool): Promise<string[]> {
  const { rows } = await payments.query<{ id: string }>(`select id from payments where status = 'Pending'`)
  return rows.map(({ id }) => id)
}

/** Makes payments due for a check at random times within the next seconds, as if they had been created one after the other. */
export async function spreadChecks(payments: Pool, ids: readonly string[], seconds: number): Promise<void> {
  await payments.query(
    `update payments set next_check_at = now() + random() * $2::float8 * interval '1 second' where id = any($1)`,
    [ids, seconds],
  )
}

/** Returns how many of these payments the provider was not asked about since a time, and how long after it the last one was. */
export async function countUnchecked(
  payments: Pool,
  ids: readonly string[],
  since: Date,
): Promise<{ unchecked: number; lastAfterSeconds: number }> {
  const { rows } = await payments.query<{ unchecked: number; lastAfterSeconds: number }>(
    `select (count(*) filter (where checked_at is null or checked_at < $2))::int as unchecked,
            coalesce(extract(epoch from max(checked_at) - $2), 0)::float8 as "lastAfterSeconds"
       from payments where id = any($1)`,
    [ids, since],
  )
  return rows[0] ?? { unchecked: ids.length, lastAfterSeconds: 0 }
}
