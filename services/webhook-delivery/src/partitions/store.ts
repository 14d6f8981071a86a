import { transaction, type Pool, type Queryable } from '@frontdesk/database'
import { lowestIdAt } from '../event-ids.ts'
import { dayInName, dayName, startOfDay } from './days.ts'

const tables = ['events', 'deliveries', 'attempts'] as const

/** The days that have partitions. */
export async function presentDays(db: Queryable): Promise<number[]> {
  // Not by pg_partition_tree: it may look through a snapshot from before the lock that `addDays` waits for.
  const result = await db.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'delivery.attempts'::regclass`,
  )
  return result.rows.flatMap((row) => dayInName(row.name) ?? [])
}

/**
 * Creates the missing partitions of these days. Attaching a ready table locks its parent far less than creating the
 * partition in place does, so deliveries go on meanwhile.
 */
export async function addDays(pool: Pool, days: readonly number[]): Promise<void> {
  await transaction(pool, async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('webhook-delivery partitions', 0))`)
    const present = new Set(await presentDays(tx))
    for (const day of days) {
      if (present.has(day)) continue
      const bounds = `from ('${lowestIdAt(startOfDay(day))}') to ('${lowestIdAt(startOfDay(day + 1))}')`
      for (const table of tables) {
        const name = `delivery.${table}_${dayName(day)}`
        await tx.query(`create table ${name} (like delivery.${table} including all)`)
        await tx.query(`alter table delivery.${table} attach partition ${name} for values ${bounds}`)
      }
    }
  })
}

/** Drops all partitions of a day unless a delivery in it is still open. Returns whether they were dropped. */
export async function dropDay(pool: Pool, day: number): Promise<boolean> {
  const open = await pool.query(`select 1 from delivery.deliveries_${dayName(day)} where state = 'pending' limit 1`)
  if (open.rows.length > 0) return false
  await transaction(pool, async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('webhook-delivery partitions', 0))`)
    // While this waits for a lock on the parent table, every other statement would queue up behind it.
    await tx.query(`set local lock_timeout = '1s'`)
    for (const table of tables) await tx.query(`drop table if exists delivery.${table}_${dayName(day)}`)
  })
  return true
}
