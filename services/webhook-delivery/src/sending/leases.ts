import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from '@frontdesk/database'
import type { Logger } from 'pino'
import type { Lanes } from './lanes.ts'
import { extendLeases } from './store.ts'

export interface LeasesOptions {
  pool: Pool
  lanes: Lanes
  leaseMs: number
  log: Logger
  signal: AbortSignal
}

/**
 * Extends the leases of everything that is held, three times in a lease, in one statement; what is young still lasts until
 * the next time. What turns out to be lost is let go. Settles when `signal` aborts.
 */
export async function keepLeases({ pool, lanes, leaseMs, log, signal }: LeasesOptions): Promise<void> {
  while (!signal.aborted) {
    await wait(leaseMs / 3, undefined, { signal }).catch(() => {})
    const startedAt = performance.now()
    const due = [...lanes.held].filter((held) => held.leasedUntil - startedAt <= leaseMs * 0.75)
    if (due.length === 0 || signal.aborted) continue
    try {
      const ours = new Set(await extendLeases(pool, due, leaseMs))
      due.forEach((held, place) => {
        if (ours.has(place)) held.leasedUntil = startedAt + leaseMs
        else lanes.forget(held)
      })
    } catch (error) {
      // They are not sent once too little is left of them, so nothing is sent twice.
      log.warn({ err: error, held: due.length }, 'leases could not be extended')
    }
  }
}
