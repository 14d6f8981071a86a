import { eventSiteOf, type EventOrigin } from '@frontdesk/events'
import { problem } from '@frontdesk/problems'
import type { KeyRing } from '@frontdesk/service/encryption'
import type { OperationHandlers } from '@frontdesk/service/http'
import { openPage, pageToken } from '@frontdesk/service/paging'
import type { Database, Subscription } from '../db.ts'
import { timeOfId } from '../event-ids.ts'
import { manualRank } from '../leases/leased.ts'
import type { Partitions } from '../partitions/partitions.ts'
import { longestLifeMs, mostAttempts } from '../replies/outcome.ts'
import { beginRecovery } from '../recoveries/recovery.ts'
import { latestRecovery } from '../recoveries/store.ts'
import { toRecovery } from '../recoveries/wire.ts'
import type { Signals, WaitingDelivery } from '../signals.ts'
import { isLockedOut } from '../subscriptions/domain.ts'
import { findSubscription } from '../subscriptions/routes.ts'
import { decideRedelivery } from './domain.ts'
import { deliveryIdOf } from './ids.ts'
import * as store from './store.ts'
import { testEvent, testEventType } from './test-event.ts'
import { toAttempt, toSummary } from './wire.ts'

export interface DeliveryRoutesDeps {
  db: Database
  ring: KeyRing
  origin: EventOrigin
  partitions: Partitions
  signals: Signals
}

type DeliveryOperations =
  | 'listDeliveries'
  | 'getDelivery'
  | 'redeliver'
  | 'recoverDeliveries'
  | 'getRecovery'
  | 'sendTestEvent'

/** Lists, reads and repeats deliveries of the caller's own subscription, and sends it a test event. */
export function deliveryRoutes(deps: DeliveryRoutesDeps): OperationHandlers<DeliveryOperations> {
  const { db, ring, origin, partitions, signals } = deps
  return {
    async listDeliveries({ principal, site, query }) {
      const subscription = await findSubscription(db, principal, site)
      const { nextPageToken, State, pageSize } = query
      const named = { subscription: subscription.id, State: State?.length === 0 ? undefined : State?.toSorted() }
      const { after, filters } = openPage(ring, nextPageToken, named)
      const page = { after, states: filters.State, limit: pageSize + 1 }
      const found = await store.listDeliveries(db.pool, subscription.id, page)
      const shown = found.slice(0, pageSize)
      const last = shown.at(-1)
      const hasMore = found.length > shown.length && last !== undefined
      return {
        status: 200,
        body: {
          Items: shown.map(toSummary),
          ...(hasMore ? { NextPageToken: pageToken(ring, last.eventId, filters) } : {}),
        },
      }
    },

    async getDelivery({ principal, site, params }) {
      const subscription = await findSubscription(db, principal, site)
      const delivery = await store.findDelivery(db.pool, subscription.id, params.DeliveryId)
      if (delivery === undefined) throw problem('delivery_not_found')
      const attempts = await store.listAttempts(db.pool, delivery)
      return { status: 200, body: { ...toSummary(delivery), AttemptList: attempts.map(toAttempt) } }
    },

    async redeliver({ principal, site, params, act }) {
      act.about(`delivery:${params.DeliveryId}`)
      const subscription = await findSubscription(db, principal, site)
      if (isLockedOut(subscription)) throw problem('subscription_paused')
      const delivery = await store.findDelivery(db.pool, subscription.id, params.DeliveryId)
      if (delivery === undefined) throw problem('delivery_not_found')
      const decision = decideRedelivery(
        {
          state: delivery.state,
          isLeased: delivery.claimId !== null,
          endsAt: timeOfId(delivery.eventId) + longestLifeMs,
          expiresAt: delivery.expiresAt?.getTime(),
          attempts: delivery.attempts,
        },
        Date.now(),
      )
      if (decision === 'too late') throw problem('delivery_not_redeliverable', 'Its event is too old, or has expired.')
      if (decision === 'too often')
        throw problem('delivery_not_redeliverable', `It was attempted ${mostAttempts} times.`)
      if (decision === 'now' && (await store.redeliverNow(db.pool, delivery, act))) {
        signals.emit('waiting', dueNow(subscription))
      }
      return { status: 202, body: { DeliveryId: deliveryIdOf(delivery.eventId, subscription.id) } }
    },

    async recoverDeliveries({ principal, site, body, resourceId, act }) {
      const subscription = await findSubscription(db, principal, site)
      act.about(`subscription:${subscription.id}`)
      const now = Date.now()
      const since = new Date(Math.max(Date.parse(body.Since), now - longestLifeMs))
      const recovery = await beginRecovery(db.engine, {
        id: resourceId,
        subscriptionId: subscription.id,
        since,
        now,
        act,
      })
      signals.emit('manyDue')
      return { status: 202, body: toRecovery(recovery) }
    },

    async getRecovery({ principal, site }) {
      const subscription = await findSubscription(db, principal, site)
      const recovery = await latestRecovery(db.pool, subscription.id)
      if (recovery === undefined) throw problem('recovery_not_found')
      return { status: 200, body: toRecovery(recovery) }
    },

    async sendTestEvent({ principal, site, resourceId, traceparent, act }) {
      const subscription = await findSubscription(db, principal, site)
      act.about(`subscription:${subscription.id}`)
      if (isLockedOut(subscription)) throw problem('subscription_paused')
      const payload = testEvent(origin, {
        id: resourceId,
        subscriptionId: subscription.id,
        site: eventSiteOf(site),
        traceparent,
        now: new Date(),
      })
      await partitions.ensure([timeOfId(resourceId)])
      await store.insertOwnEvent(db.pool, {
        eventId: resourceId,
        subscriptionId: subscription.id,
        type: testEventType,
        siteSlug: site.slug,
        payload,
        act,
      })
      signals.emit('waiting', dueNow(subscription))
      return { status: 202, body: { DeliveryId: deliveryIdOf(resourceId, subscription.id) } }
    },
  }
}

/** A delivery that a person asked for. */
const dueNow = (subscription: Subscription): WaitingDelivery => ({
  subscriptionId: subscription.id,
  rank: manualRank,
  endpointId: subscription.endpointId,
  waitMs: 0,
})
