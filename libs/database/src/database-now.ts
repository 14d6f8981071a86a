import type { Queryable } from './pool.ts'

/** Returns the time by Postgres's clock, which orders moments that different replicas recorded. */
export async function databaseNow(db: Queryable): Promise<Date> {
  const result = await db.query<{ now: Date }>({ name: 'database-now', text: 'select clock_timestamp() as now' })
  return result.rows[0]?.now ?? new Date()
}
