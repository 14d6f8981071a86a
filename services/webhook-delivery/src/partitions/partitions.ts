import type { Pool } from '@frontdesk/database'
import type { Logger } from 'pino'
import { dayOf } from './days.ts'
import { addDays, dropDay, presentDays } from './store.ts'

const daysBehind = 1
const daysAhead = 7

export interface PartitionsDeps {
  pool: Pool
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
export function createPartitions({ pool, retentionDays, log }: PartitionsDeps): Partitions {
  const known = new Set<number>()

  async function add(days: readonly number[]): Promise<void> {
    const missing = [...new Set(days)].filter((day) => !known.has(day))
    if (missing.length === 0) return
    await addDays(pool, missing)
    for (const day of missing) known.add(day)
  }

  return {
    ensure: (epochMs) => add(epochMs.map(dayOf)),
    async maintain(now) {
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
    },
  }
}
