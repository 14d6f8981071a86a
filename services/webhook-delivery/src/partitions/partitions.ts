import { clientConfig, type Pool } from '@frontdesk/database'
import pg from 'pg'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { dayOf } from './days.ts'
import * as store from './store.ts'

const daysBehind = 1
const daysAhead = 7
// A day whose tables somebody reads all this time is left to the next run.
const tryDroppingForMs = 20_000
const betweenTriesMs = 500

export interface PartitionsDeps {
  pool: Pool
  /** For a connection of its own, whose lock keeps to one the replicas that drop days. */
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
      ...clientConfig(url),
      application_name: 'webhook-delivery partitions',
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
    })
    connection.on('error', (error) => log.warn({ err: error }, 'the connection that drops days was lost'))
    try {
      await connection.connect()
      if (!(await store.lockDropping(connection))) return
      const days = Map.groupBy(await store.tablesBefore(connection, before), (table) => table.day)
      for (const [day, tables] of days) await dropDay(connection, day, tables)
    } finally {
      await connection.end().catch(() => {})
    }
  }

  async function dropDay(connection: pg.Client, day: number, tables: readonly store.DayTable[]): Promise<void> {
    if (await store.isOpen(connection, day))
      return log.warn({ day }, 'a day past its retention still has open deliveries')
    known.delete(day)
    const deadline = performance.now() + tryDroppingForMs
    for (let left = tables; ; await wait(betweenTriesMs)) {
      left = await tablesInUse(connection, left)
      if (left.length === 0) return log.info({ day }, 'dropped a day past its retention')
      if (performance.now() > deadline)
        return log.warn({ day }, 'a day past its retention is read all the time; the next run drops it')
    }
  }

  /** Drops the tables that nobody uses, and returns the others. */
  async function tablesInUse(connection: pg.Client, tables: readonly store.DayTable[]): Promise<store.DayTable[]> {
    const inUse: store.DayTable[] = []
    for (const table of tables) if (!(await store.dropTable(connection, table))) inUse.push(table)
    return inUse
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
