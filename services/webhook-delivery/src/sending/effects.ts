import type { Transaction } from '@frontdesk/database'
import { appendToOutbox, type EventOrigin, type EventSite } from '@frontdesk/events'
import { deliveryIdOf } from '../deliveries/ids.ts'
import type { SubscriptionHealth } from '../subscriptions/health.ts'
import type { Change } from './store.ts'

/** Changes that do more than end an attempt: they tell other services, or pause a subscription, in the same transaction. */
export const isSpecial = (change: Change) => change.state === 'exhausted' || change.gone === true

/** Locks the subscriptions that are to be paused before their deliveries, as everybody does, and in their order. */
export async function lockSubscriptions(tx: Transaction, changes: readonly Change[]): Promise<void> {
  const ids = changes.filter((change) => change.gone === true).map((change) => change.held.subscriptionId)
  if (ids.length > 0) await tx.query('select 1 from subscriptions where id = any($1) order by id for update', [ids])
}

/** Pauses subscriptions whose receiver is gone, and says which deliveries have used up their schedule. */
export async function applyEffects(
  tx: Transaction,
  changes: readonly Change[],
  health: SubscriptionHealth,
  origin: EventOrigin,
): Promise<void> {
  const gone = new Set(changes.filter((change) => change.gone === true).map((change) => change.held.subscriptionId))
  for (const id of [...gone].toSorted()) await health.pause(tx, id, 'gone')
  await appendExhausted(
    tx,
    origin,
    changes
      .filter((change) => change.state === 'exhausted')
      .map(({ held, attempt }) => ({
        subscriptionId: held.subscriptionId,
        eventId: held.eventId,
        attempts: held.attempts + (attempt === undefined ? 0 : 1),
        unsent: attempt === undefined,
      })),
  )
}

export interface ExhaustedDelivery {
  subscriptionId: string
  eventId: string
  attempts: number
  /** Its time ran out, where otherwise its last attempt failed. */
  unsent: boolean
}

/** Tells other services of deliveries that nobody will send any more: Internal `delivery.exhausted`. */
export async function appendExhausted(
  tx: Transaction,
  origin: EventOrigin,
  exhausted: readonly ExhaustedDelivery[],
): Promise<void> {
  if (exhausted.length === 0) return
  const known = await tx.query<{ place: number; type: string; site: EventSite }>(
    `select (ended.place - 1)::int as place, e.type, s.site
       from unnest($1::uuid[], $2::uuid[]) with ordinality as ended (subscription_id, event_id, place)
       join delivery.events e on e.event_id = ended.event_id
       join subscriptions s on s.id = ended.subscription_id`,
    [exhausted.map((ended) => ended.subscriptionId), exhausted.map((ended) => ended.eventId)],
  )
  await appendToOutbox(
    tx,
    origin,
    known.rows.flatMap(({ place, type, site }) => {
      const ended = exhausted[place]
      if (ended === undefined) return []
      const deliveryId = deliveryIdOf(ended.eventId, ended.subscriptionId)
      // A delivery that is sent again may be exhausted again: with more attempts, or unsent, which comes last and once.
      const version = 2 * ended.attempts + (ended.unsent ? 1 : 0)
      return {
        type: 'delivery.exhausted' as const,
        aggregate: { type: 'delivery', id: deliveryId, version },
        time: new Date(),
        site,
        data: {
          version,
          deliveryId,
          eventId: ended.eventId,
          eventType: type,
          subscriptionId: ended.subscriptionId,
          siteSlug: site.siteSlug,
          attempts: ended.attempts,
        },
      }
    }),
  )
}
