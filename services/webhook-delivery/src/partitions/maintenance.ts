import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from '@frontdesk/database'
import type { Logger } from 'pino'
import { dayOf } from './days.ts'
import { addDays, dropDay, presentDays } from './store.ts'

const daysBehind = 1
const daysAhead = 7
const everyMs = 60 * 60 * 1000

export interface Partitions {
  /** Makes sure the days of these events have their partitions: an event from an old outbox may need one. */
  ensure(epochMs: readonly number[]): Promise<void>
  /** Adds the days ahead and drops those past their retention, once. */
  maintain(now: Date): Promise<void>
  /** Does that every hour until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>
}

/** Keeps a partition for every day around now; a day is dropped whole once it is past its retention and nothing in it is open. */
export function createPartitions({
  pool,
  retentionDays,
  log,
}: {
  pool: Pool
  retentionDays: number
  log: Logger
}): Partitions {
  const known = new Set<number>()

  async function add(days: readonly number[]): Promise<void> {
    const missing = [...new Set(days)].filter((day) => !known.has(day))
    if (missing.length === 0) return
    await addDays(pool, missing)
    for (const day of missing) known.add(day)
  }

  async function maintain(now: Date): Promise<void> {
    const today = dayOf(now.getTime())
    known.clear()
    for (const day of await presentDays(pool)) known.add(day)
    await add(Array.from({ length: daysBehind + daysAhead + 1 }, (_, index) => today - daysBehind + index))
    for (const day of [...known].toSorted((a, b) => a - b)) {
      if (day >= today - retentionDays) break
      if (await dropDay(pool, day)) {
        known.delete(day)
        log.info({ day }, 'dropped a day past its retention')
      } else log.warn({ day }, 'a day past its retention still has open deliveries')
    }
  }

  return {
    ensure: (epochMs) => add(epochMs.map(dayOf)),
    maintain,
    async run(signal) {
      while (!signal.aborted) {
        let pauseMs = everyMs * (0.9 + Math.random() * 0.2)
        try {
          await maintain(new Date())
        } catch (error) {
          if (!signal.aborted) log.warn({ err: error }, 'the partitions could not be maintained; trying again')
          pauseMs = 2_000
        }
        await wait(pauseMs, undefined, { signal }).catch(() => {})
      }
    },
  }
}
