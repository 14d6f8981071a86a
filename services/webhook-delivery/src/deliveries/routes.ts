import { eventSiteOf, type EventOrigin } from '@frontdesk/events'
import { problem } from '@frontdesk/problems'
import type { KeyRing } from '@frontdesk/service/encryption'
import type { OperationHandlers } from '@frontdesk/service/http'
import { pagePosition, pageToken } from '@frontdesk/service/paging'
import type { Database } from '../db.ts'
import { timeOfId } from '../partitions/days.ts'
import type { Partitions } from '../partitions/maintenance.ts'
import { longestLifeMs } from '../replies/outcome.ts'
import { manualRank } from '../sending/held.ts'
import { findSubscription } from '../subscriptions/routes.ts'
import { decideRedelivery } from './domain.ts'
import { deliveryIdOf } from './ids.ts'
import * as store from './store.ts'
import { testEvent, testEventType } from './test-event.ts'

export interface DeliveryRoutes {
  db: Database
  ring: KeyRing
  origin: EventOrigin
  partitions: Partitions
  /** Lets the scanner know of deliveries that are due now. */
  onDue: (due: { subscriptionId: string; rank: number; endpointId: bigint }) => void
  /** Lets the scanner find out by itself. */
  onManyDue: () => void
}

type DeliveryOperations = 'listDeliveries' | 'getDelivery' | 'redeliver' | 'recoverDeliveries' | 'sendTestEvent'

/** What became of events, and sending them again: always of the caller's own subscription. */
export function deliveryRoutes(deps: DeliveryRoutes): OperationHandlers<DeliveryOperations> {
  const { db, ring, origin, partitions, onDue, onManyDue } = deps
  return {
    async listDeliveries({ principal, site, query }) {
      const subscription = await findSubscription(db, principal, site)
      const states = query.State === undefined || query.State.length === 0 ? undefined : query.State.toSorted()
      const filters = [subscription.id, states ?? null]
      const after = query.nextPageToken === undefined ? undefined : pagePosition(ring, query.nextPageToken, filters)
      const found = await store.listDeliveries(db.pool, subscription.id, { after, states, limit: query.pageSize + 1 })
      const page = found.slice(0, query.pageSize)
      const last = page.at(-1)
      const hasMore = found.length > page.length && last !== undefined
      return {
        status: 200,
        body: {
          Items: page.map(store.toSummary),
          ...(hasMore ? { NextPageToken: pageToken(ring, last.eventId, filters) } : {}),
        },
      }
    },

    async getDelivery({ principal, site, params }) {
      const subscription = await findSubscription(db, principal, site)
      const delivery = await store.findDelivery(db.pool, subscription.id, params.DeliveryId)
      if (delivery === undefined) throw problem('delivery_not_found')
      const attempts = await store.listAttempts(db.pool, delivery)
      return { status: 200, body: { ...store.toSummary(delivery), AttemptList: attempts.map(store.toAttempt) } }
    },

    async redeliver({ principal, site, params }) {
      const subscription = await findSubscription(db, principal, site)
      const delivery = await store.findDelivery(db.pool, subscription.id, params.DeliveryId)
      if (delivery === undefined) throw problem('delivery_not_found')
      const decision = decideRedelivery(
        {
          state: delivery.state,
          isLeased: delivery.claimId !== null,
          endsAt: timeOfId(delivery.eventId) + longestLifeMs,
          expiresAt: delivery.expiresAt?.getTime(),
        },
        Date.now(),
      )
      if (decision === 'too late') throw problem('delivery_not_redeliverable', 'Its event is too old, or has expired.')
      if (decision === 'now' && (await store.redeliverNow(db.pool, delivery))) {
        onDue({ subscriptionId: subscription.id, rank: manualRank, endpointId: subscription.endpointId })
      }
      return { status: 202, body: { DeliveryId: deliveryIdOf(delivery.eventId, subscription.id) } }
    },

    async recoverDeliveries({ principal, site, body }) {
      const subscription = await findSubscription(db, principal, site)
      const since = Math.max(Date.parse(body.Since), Date.now() - longestLifeMs)
      const count = await store.recoverSince(db.pool, subscription.id, since)
      onManyDue()
      return { status: 202, body: { Deliveries: count } }
    },

    async sendTestEvent({ principal, site, resourceId, traceparent }) {
      const subscription = await findSubscription(db, principal, site)
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
      })
      onDue({ subscriptionId: subscription.id, rank: manualRank, endpointId: subscription.endpointId })
      return { status: 202, body: { DeliveryId: deliveryIdOf(resourceId, subscription.id) } }
    },
  }
}
