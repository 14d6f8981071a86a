import type { DeliveryState } from '@frontdesk/contracts'
import { camelRows, type Queryable } from '@frontdesk/database'
import { auditInsert, auditParameter, type Act } from '@frontdesk/service/audit'
import { lowestIdAt, timeOfId } from '../event-ids.ts'
import { manualRank } from '../leases/leased.ts'
import { deliveryIdOf } from './ids.ts'

/** A delivery with its event's type and times. */
export interface StoredDelivery {
  subscriptionId: string
  eventId: string
  eventType: string
  state: DeliveryState
  attempts: number
  receivedAt: Date
  dueAt: Date
  completedAt: Date | null
  claimId: string | null
  expiresAt: Date | null
}

const columns = `d.subscription_id, d.event_id, e.type as event_type, d.state, d.attempts, e.received_at, d.due_at, d.completed_at,
  d.claim_id, e.expires_at`

/** A page of a subscription's deliveries, newest event first, after the event `after`. */
export async function listDeliveries(
  db: Queryable,
  subscriptionId: string,
  { after, states, limit }: { after: string | undefined; states: readonly DeliveryState[] | undefined; limit: number },
): Promise<StoredDelivery[]> {
  return camelRows<StoredDelivery>(
    await db.query(
      `select ${columns}
         from (select * from delivery.deliveries
                where subscription_id = $1 and event_id < $2 and ($3::text[] is null or state::text = any($3))
                order by event_id desc limit $4) d
         join delivery.events e on e.event_id = d.event_id
        order by d.event_id desc`,
      [subscriptionId, after ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff', states ?? null, limit],
    ),
  )
}

/** The delivery of a subscription with this DeliveryId; undefined if there is none. */
export async function findDelivery(
  db: Queryable,
  subscriptionId: string,
  deliveryId: string,
): Promise<StoredDelivery | undefined> {
  const wanted = deliveryId.toLowerCase()
  // The id contains the millisecond of the event: only the few deliveries of that millisecond are compared.
  const time = timeOfId(wanted)
  const found = camelRows<StoredDelivery>(
    await db.query(
      `select ${columns} from delivery.deliveries d join delivery.events e on e.event_id = d.event_id
        where d.subscription_id = $1 and d.event_id >= $2 and d.event_id < $3`,
      [subscriptionId, lowestIdAt(time), lowestIdAt(time + 1)],
    ),
  )
  return found.find((delivery) => deliveryIdOf(delivery.eventId, subscriptionId) === wanted)
}

/** An attempt as it was recorded. */
export interface StoredAttempt {
  number: number
  startedAt: Date
  durationMs: number
  outcome: string
  statusCode: number | null
  error: string | null
  responseBody: Buffer | null
}

/** The attempts at a delivery, first to last. */
export async function listAttempts(
  db: Queryable,
  delivery: Pick<StoredDelivery, 'eventId' | 'subscriptionId'>,
): Promise<StoredAttempt[]> {
  return camelRows<StoredAttempt>(
    await db.query(
      `select number, started_at, duration_ms, outcome, status_code, error, response_body from delivery.attempts
        where event_id = $1 and subscription_id = $2 order by number`,
      [delivery.eventId, delivery.subscriptionId],
    ),
  )
}

/** Makes a delivery due now, ahead of all others, with a fresh schedule. Returns false if it is leased. */
export async function redeliverNow(
  db: Queryable,
  delivery: Pick<StoredDelivery, 'eventId' | 'subscriptionId'>,
  act: Act,
): Promise<boolean> {
  const result = await db.query(
    `with due as (
       update delivery.deliveries set state = 'pending', rank = $3, step = 0, due_at = now(), completed_at = null
        where event_id = $1 and subscription_id = $2 and claim_id is null
       returning 1
     ), audited as (${auditInsert(4, 'due')})
     select from due`,
    [delivery.eventId, delivery.subscriptionId, manualRank, auditParameter(act)],
  )
  if (result.rowCount === 1) act.recorded()
  return result.rowCount === 1
}

/** Stores an event and its delivery to one subscription, due now; does nothing if the event is stored already. */
export async function insertOwnEvent(
  db: Queryable,
  event: { eventId: string; subscriptionId: string; type: string; siteSlug: string; payload: Buffer; act: Act },
): Promise<void> {
  const result = await db.query(
    `with stored as (
       insert into delivery.events (event_id, type, site_slug, rank, payload) values ($1, $3, $4, 0, $5)
       on conflict do nothing returning event_id
     ), audited as (${auditInsert(7, 'stored')})
     insert into delivery.deliveries (subscription_id, event_id, due_at, state, rank)
     select $2, event_id, now(), 'pending', $6 from stored`,
    [
      event.eventId,
      event.subscriptionId,
      event.type,
      event.siteSlug,
      event.payload,
      manualRank,
      auditParameter(event.act),
    ],
  )
  if (result.rowCount === 1) event.act.recorded()
}
