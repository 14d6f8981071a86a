import type { Pool } from '@frontdesk/database'
import pg from 'pg'
import type { Logger } from 'pino'
import { dayOf } from './days.ts'
import * as store from './store.ts'

const daysBehind = 1
const daysAhead = 7
// While a detach waits for readers no partition can be added. It is broken off then, and finished the next time.
const longestDetachMs = 20_000

export interface PartitionsDeps {
  pool: Pool
  /** For a connection of its own: days are dropped outside of transactions, by one replica at a time. */
  url: string
  retentionDays: number
  log: Logger
}

export interface Partitions {
  /** Creates the missing partitions of these events' days: an event from an old outbox may need one. */
  ensure(epochMs: readonly number[]): Promise<void>
  /** Adds the days ahead and drops those past their retention. */
  maintain(now: Date): Promise<void>
}

/** Keeps partitions for every day around now. A day past its retention is dropped whole once nothing in it is open. */
export function createPartitions({ pool, url, retentionDays, log }: PartitionsDeps): Partitions {
  const known = new Set<number>()

  async function add(days: readonly number[]): Promise<void> {
    const missing = [...new Set(days)].filter((day) => !known.has(day))
    if (missing.length === 0) return
    await store.addDays(pool, missing)
    for (const day of missing) known.add(day)
  }

  /** Drops the days before `before`, unless something in them is open, or another replica is at it. */
  async function dropBefore(before: number): Promise<void> {
    const present = await store.tablesBefore(pool, before)
    if (present.length === 0) return
    const connection = new pg.Client({
      connectionString: url,
      application_name: 'webhook-delivery partitions',
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
    })
    connection.on('error', (error) => log.warn({ err: error }, 'the connection that drops days was lost'))
    try {
      await connection.connect()
      if (!(await store.lockDropping(connection))) return
      await store.limitWaits(connection, longestDetachMs)
      const days = Map.groupBy(await store.tablesBefore(connection, before), (table) => table.day)
      for (const [day, tables] of days) await dropDay(connection, day, tables)
    } finally {
      await connection.end().catch(() => {})
    }
  }

  async function dropDay(connection: pg.Client, day: number, tables: readonly store.DayTable[]): Promise<void> {
    const isWhole = tables.some((table) => table.parent === 'deliveries' && table.status === 'attached')
    if (isWhole && (await store.isOpen(connection, day)))
      return log.warn({ day }, 'a day past its retention still has open deliveries')
    known.delete(day)
    for (const table of tables) {
      await store.detachTable(connection, table)
      await store.dropTable(connection, table)
    }
    log.info({ day }, 'dropped a day past its retention')
  }

  return {
    ensure: (epochMs) => add(epochMs.map(dayOf)),
    async maintain(now) {
      const today = dayOf(now.getTime())
      known.clear()
      for (const day of await store.presentDays(pool)) known.add(day)
      await add(Array.from({ length: daysBehind + daysAhead + 1 }, (_, index) => today - daysBehind + index))
      await dropBefore(today - retentionDays)
    },
  }
}
