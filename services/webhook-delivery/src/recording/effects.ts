import type { Transaction } from '@frontdesk/database'
import { appendToOutbox, type EventOrigin } from '@frontdesk/events'
import { deliveryIdOf } from '../deliveries/ids.ts'
import type { SubscriptionHealth } from '../subscriptions/health.ts'
import { lockSubscriptions } from '../subscriptions/store.ts'
import { eventsOf, type Change, type ExhaustedDelivery } from './store.ts'

/** Whether a change does more than end an attempt: it also appends an event or pauses a subscription, in one transaction. */
export const isSpecial = (change: Change) => change.state === 'exhausted' || change.gone === true

const goneOf = (changes: readonly Change[]) => [
  ...new Set(changes.filter((change) => change.gone === true).map((change) => change.delivery.subscriptionId)),
]

/** Locks the subscriptions that are to be paused. Must come before their deliveries are locked, as everywhere. */
export async function lockForEffects(tx: Transaction, changes: readonly Change[]): Promise<void> {
  const gone = goneOf(changes)
  if (gone.length > 0) await lockSubscriptions(tx, gone)
}

/** Pauses the subscriptions whose receiver is gone, and appends an event for each delivery that is exhausted. */
export async function applyEffects(
  tx: Transaction,
  changes: readonly Change[],
  { health, origin }: { health: SubscriptionHealth; origin: EventOrigin },
): Promise<void> {
  for (const id of goneOf(changes).toSorted()) await health.pause(tx, id, 'gone')
  const exhausted = changes
    .filter((change) => change.state === 'exhausted')
    .map(({ delivery, attempt }) => ({
      subscriptionId: delivery.subscriptionId,
      eventId: delivery.eventId,
      attempts: delivery.attempts + (attempt === undefined ? 0 : 1),
      unsent: attempt === undefined,
    }))
  await appendExhausted(tx, origin, exhausted)
}

/** Appends the Internal event `delivery.exhausted` for each of these deliveries. */
export async function appendExhausted(
  tx: Transaction,
  origin: EventOrigin,
  exhausted: readonly ExhaustedDelivery[],
): Promise<void> {
  if (exhausted.length === 0) return
  const known = await eventsOf(tx, exhausted)
  await appendToOutbox(
    tx,
    origin,
    known.flatMap(({ place, type, site }) => {
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
