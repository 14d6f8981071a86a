import type { Pool } from '@frontdesk/database'
import { deleteUnused } from './endpoints/store.ts'
import { deleteOldRecoveries } from './recoveries/store.ts'
import { deleteEnded } from './subscriptions/store.ts'

const dayMs = 24 * 60 * 60 * 1000
const mostSubscriptions = 200
const mostEndpoints = 5_000

/**
 * Deletes what no delivery needs any more: subscriptions whose last deliveries are past their retention, endpoints without
 * a subscription, and recoveries that ended as long ago. Goes on until nothing is left, or `signal` aborts.
 */
export async function deleteUnneeded(
  pool: Pool,
  { retentionDays, now, signal }: { retentionDays: number; now: Date; signal: AbortSignal },
): Promise<void> {
  // Two days more: an ended subscription may match events for another day, and a day is dropped when it is over. One of a
  // deleted site matches events for longer, and stays for as long.
  const before = new Date(now.getTime() - (retentionDays + 2) * dayMs)
  while (!signal.aborted && (await deleteEnded(pool, { before, now }, mostSubscriptions)));
  let after: bigint | undefined = 0n
  while (!signal.aborted && after !== undefined) after = await deleteUnused(pool, after, mostEndpoints)
  await deleteOldRecoveries(pool, before)
}
