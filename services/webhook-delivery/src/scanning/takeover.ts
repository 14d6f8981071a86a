import type { Queryable } from '@frontdesk/database'
import { presentInstances } from '../sending/presence.ts'
import { claimingInstances, releaseInstance, releaseLapsed } from './store.ts'

// Long enough for a copy that lost its connection to come back, far shorter than a lease.
const absentForMs = 5_000

/**
 * Frees what dead copies had claimed: when their lease lapses at the latest, and a few seconds after their presence has
 * gone in the usual case of a crash. A copy that merely hangs stays present, and keeps its leases until they lapse.
 */
export interface Takeover {
  /** Returns how many deliveries were freed. */
  check(db: Queryable, oldestId: string, now: number): Promise<number>
}

export function createTakeover(leaseMs: number): Takeover {
  let known: Set<string> | undefined
  const absentSince = new Map<string, number>()
  let lapsedAt = 0

  return {
    async check(db, oldestId, now) {
      let freed = 0
      if (now >= lapsedAt) {
        lapsedAt = now + leaseMs / 12
        freed += await releaseLapsed(db, oldestId)
      }
      const present = await presentInstances(db)
      // At the start, whoever has claims; later, whoever was there before.
      for (const instance of known ?? (await claimingInstances(db, oldestId))) {
        if (!present.has(instance) && !absentSince.has(instance)) absentSince.set(instance, now)
      }
      known = present
      for (const [instance, since] of absentSince) {
        if (present.has(instance)) absentSince.delete(instance)
        else if (now - since >= absentForMs) {
          freed += await releaseInstance(db, instance, oldestId)
          absentSince.delete(instance)
        }
      }
      return freed
    },
  }
}
