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

/** Whether a delivery of a day is still open, so that the day must stay. */
export async function isOpen(db: Queryable, day: number): Promise<boolean> {
  const open = await db.query(`select 1 from delivery.deliveries_${dayName(day)} where state = 'pending' limit 1`)
  return open.rows.length > 0
}

/** A table of a day, and whether it is still a partition: attached, being detached, or detached and left over. */
export interface DayTable {
  parent: string
  name: string
  day: number
  status: 'attached' | 'detaching' | 'detached'
}

/** The tables of days before `before`. */
export async function tablesBefore(db: Queryable, before: number): Promise<DayTable[]> {
  const result = await db.query<{ name: string; status: DayTable['status'] }>(
    `select c.relname as name,
            case when i.inhrelid is null then 'detached' when i.inhdetachpending then 'detaching' else 'attached' end as status
       from pg_class c left join pg_inherits i on i.inhrelid = c.oid
      where c.relnamespace = 'delivery'::regnamespace and c.relkind = 'r'
        and c.relname ~ '^(${tables.join('|')})_[0-9]{8}$' order by c.relname`,
  )
  return result.rows.flatMap(({ name, status }) => {
    const day = dayInName(name)
    const parent = tables.find((table) => name.startsWith(`${table}_`))
    return day === undefined || parent === undefined || day >= before ? [] : [{ parent, name, day, status }]
  })
}

/**
 * Takes a table out of its parent while others read and write the parent: no statement waits for it, and it waits for the
 * statements that still see the partition. One that was broken off is finished. Must run outside a transaction.
 */
export async function detachTable(connection: Queryable, { parent, name, status }: DayTable): Promise<void> {
  if (status === 'detached') return
  const how = status === 'detaching' ? 'finalize' : 'concurrently'
  await connection.query(`alter table delivery.${parent} detach partition delivery.${name} ${how}`)
}

/** Drops a table that is no partition any more. */
export async function dropTable(connection: Queryable, { name }: DayTable): Promise<void> {
  await connection.query(`drop table if exists delivery.${name}`)
}

// One replica at a time drops days.
const dropping = `hashtextextended('webhook-delivery drops days', 0)`

/** Takes the lock of the replica that drops days, for as long as the connection lasts. Returns whether it did. */
export async function lockDropping(connection: Queryable): Promise<boolean> {
  const result = await connection.query<{ won: boolean }>(`select pg_try_advisory_lock(${dropping}) as won`)
  return result.rows[0]?.won === true
}

/** How long statements of a connection may wait for locks, and take in all. */
export async function limitWaits(connection: Queryable, milliseconds: number): Promise<void> {
  await connection.query(`set lock_timeout = ${milliseconds}; set statement_timeout = ${milliseconds}`)
}
