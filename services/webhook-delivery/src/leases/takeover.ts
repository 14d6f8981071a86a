import type { Queryable } from '@frontdesk/database'
import { claimingInstances, liveInstances, releaseInstance, releaseLapsed, tryToWrite } from './store.ts'

// Long enough for a replica that lost its connection to come back, far shorter than a lease.
const absentForMs = 5_000
// When Postgres takes writes again, replicas first record the outcomes that waited in their memory.
const afterOutageMs = 5_000

/**
 * Returns `check`, which frees the claims of dead replicas and returns how many: usually a few seconds after their
 * heartbeat has stopped, at the latest when their leases lapse. A replica that hangs keeps its heartbeat, and so its leases
 * until they lapse.
 */
export function createTakeover(leaseMs: number) {
  let known: Set<string> | undefined
  const absentSince = new Map<string, number>()
  let lapsedAt = 0
  let hadOutage = false

  async function check(db: Queryable, oldestId: string, now: number): Promise<number> {
    let freed = 0
    if (now >= lapsedAt) {
      lapsedAt = now + leaseMs / 12
      if (hadOutage) {
        await tryToWrite(db)
        hadOutage = false
        lapsedAt = now + afterOutageMs
        for (const instance of absentSince.keys()) absentSince.set(instance, now)
      } else freed += await releaseLapsed(db, oldestId)
    }
    const alive = await liveInstances(db)
    // The first time: every instance that has claims. Later: those that were alive the last time.
    for (const instance of known ?? (await claimingInstances(db, oldestId))) {
      if (!alive.has(instance) && !absentSince.has(instance)) absentSince.set(instance, now)
    }
    known = alive
    for (const [instance, since] of absentSince) {
      if (alive.has(instance)) absentSince.delete(instance)
      else if (now - since >= absentForMs) {
        freed += await releaseInstance(db, instance, oldestId)
        absentSince.delete(instance)
      }
    }
    return freed
  }

  return async (db: Queryable, oldestId: string, now: number): Promise<number> => {
    try {
      return await check(db, oldestId, now)
    } catch (error) {
      hadOutage = true
      throw error
    }
  }
}
