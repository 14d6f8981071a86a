import { isLockTimeout, type Queryable } from '@frontdesk/database'
import { lowestIdAt } from '../event-ids.ts'
import { dayInName, startOfDay } from './days.ts'

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

/** Creates the missing partitions of these days, by a function of the database's owner. */
export async function addDays(db: Queryable, days: readonly number[]): Promise<void> {
  await db.query('select delivery.add_days($1::date[])', [days.map(dateOf)])
}

/** Whether a delivery of a day is still open, so that the day must stay. Tables that are no partition do not count. */
export async function isOpen(db: Queryable, day: number): Promise<boolean> {
  const open = await db.query(
    `select 1 from delivery.deliveries where event_id >= $1 and event_id < $2 and state = 'pending' limit 1`,
    [lowestIdAt(startOfDay(day)), lowestIdAt(startOfDay(day + 1))],
  )
  return open.rows.length > 0
}

/** A table of a day. */
export interface DayTable {
  parent: string
  day: number
}

/** The tables of days before `before`; a release before this one may have left tables that are no partition any more. */
export async function tablesBefore(db: Queryable, before: number): Promise<DayTable[]> {
  const result = await db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'delivery'::regnamespace and relkind = 'r'
        and relname ~ '^(${tables.join('|')})_[0-9]{8}$' order by relname`,
  )
  return result.rows.flatMap(({ name }) => {
    const day = dayInName(name)
    const parent = tables.find((table) => name.startsWith(`${table}_`))
    return day === undefined || parent === undefined || day >= before ? [] : [{ parent, day }]
  })
}

/**
 * Drops a table of a day, by a function of the database's owner. Returns false if statements kept it from a lock for 100 ms:
 * then others waited for as long behind it.
 */
export async function dropTable(connection: Queryable, { parent, day }: DayTable): Promise<boolean> {
  try {
    await connection.query('select delivery.drop_day($1, $2::date)', [parent, dateOf(day)])
    return true
  } catch (error) {
    if (isLockTimeout(error)) return false
    throw error
  }
}

// One replica at a time drops days.
const dropping = `hashtextextended('webhook-delivery drops days', 0)`

/** Takes the lock of the replica that drops days, for as long as the connection lasts. Returns whether it did. */
export async function lockDropping(connection: Queryable): Promise<boolean> {
  const result = await connection.query<{ won: boolean }>(`select pg_try_advisory_lock(${dropping}) as won`)
  return result.rows[0]?.won === true
}

function dateOf(day: number): string {
  return new Date(startOfDay(day)).toISOString().slice(0, 10)
}
