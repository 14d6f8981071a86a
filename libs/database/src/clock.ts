import type { Queryable } from './pool.ts'

/** Postgres's clock: what puts moments in order that were taken by different copies of a service. */
export async function clock(db: Queryable): Promise<Date> {
  const result = await db.query<{ now: Date }>({ name: 'clock', text: 'select clock_timestamp() as now' })
  return result.rows[0]?.now ?? new Date()
}
