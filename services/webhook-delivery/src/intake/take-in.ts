import type { Pool } from '@frontdesk/database'
import { v7 as uuidv7 } from 'uuid'
import { timeOfId } from '../event-ids.ts'
import type { Partitions } from '../partitions/partitions.ts'
import type { IncomingEvent } from './incoming.ts'
import { receiveEvents } from './store.ts'

export interface TakeInDeps {
  pool: Pool
  partitions: Pick<Partitions, 'ensure'>
}

/**
 * Stores events and makes their deliveries outside of the intake. Nothing is leased: the pollers of the running replicas
 * find the deliveries. Returns how many of the events were new.
 */
export async function takeIn({ pool, partitions }: TakeInDeps, events: readonly IncomingEvent[]): Promise<number> {
  await partitions.ensure(events.map((event) => timeOfId(event.eventId)))
  const unleased = { claimId: uuidv7(), leaseMs: 0, open: [], closed: [], others: 0 }
  return (await receiveEvents(pool, events, unleased)).fresh
}
