import { transaction, type Pool } from '@frontdesk/database'
import type { Act } from '@frontdesk/service/audit'
import { lowestIdAt } from '../event-ids.ts'
import * as store from './store.ts'

// Looked at in one transaction: a fraction of a second, so that no statement takes long and progress can be read.
const chunk = 5_000
// A small recovery is complete when its request is answered; a large one has begun.
const firstChunk = 500

/**
 * Begins to deliver again what a subscription was not delivered since a time, and makes the first deliveries due at once.
 * The rest is background work. One of the same time that is open is gone on with instead.
 */
export async function beginRecovery(
  pool: Pool,
  request: { id: string; subscriptionId: string; since: Date; now: number; act: Act },
): Promise<store.Recovery> {
  const stored = await store.insertRecovery(pool, {
    ...request,
    position: lowestIdAt(request.since.getTime()),
    // What fails from now on follows its own schedule.
    last: lowestIdAt(request.now + 1),
  })
  if (stored === undefined) throw new Error('the recovery was not stored')
  return (await advance(pool, { id: stored.id, most: firstChunk })) ?? stored
}

/** Takes one open recovery a chunk further. Returns it; undefined if there is none, or others work on all of them. */
export function advance(
  pool: Pool,
  { id, most = chunk }: { id?: string; most?: number } = {},
): Promise<store.Recovery | undefined> {
  return transaction(pool, async (tx) => {
    const open = await store.lockOpenRecovery(tx, id)
    if (open === undefined) return undefined
    const { recovered, position } = await store.recoverSome(tx, open, most)
    return store.saveProgress(tx, open.id, { recovered, position })
  })
}
