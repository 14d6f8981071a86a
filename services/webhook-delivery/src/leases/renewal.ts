import type { Queryable } from '@frontdesk/database'
import type { LeasedDelivery } from './leased.ts'
import { extendLeases } from './store.ts'

/**
 * Extends the leases that are older than a quarter of `leaseMs`, in one statement; younger ones last until the next time.
 * Returns the deliveries whose lease was lost. If Postgres is away it throws, and nothing is sent twice all the same: no
 * request starts in the last third of a lease.
 */
export async function renewLeases(
  db: Queryable,
  leased: Iterable<LeasedDelivery>,
  leaseMs: number,
): Promise<LeasedDelivery[]> {
  const startedAt = performance.now()
  const due = [...leased].filter((delivery) => delivery.leasedUntil - startedAt <= leaseMs * 0.75)
  if (due.length === 0) return []
  const ours = new Set(await extendLeases(db, due, leaseMs))
  for (const place of ours) {
    const delivery = due[place]
    if (delivery !== undefined) delivery.leasedUntil = startedAt + leaseMs
  }
  return due.filter((_, place) => !ours.has(place))
}
