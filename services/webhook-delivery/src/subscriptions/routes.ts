import { transaction } from '@frontdesk/database'
import { eventSiteOf, type EventOrigin, type Relay } from '@frontdesk/events'
import type { SiteAccess } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import type { OperationHandlers } from '@frontdesk/service/http'
import type { Principal } from '@frontdesk/service/tokens'
import type { Database, Subscription } from '../db.ts'
import { oldestOpenId } from '../sending/store.ts'
import { checkEventTypes, checkHeaders, checkUrl, labelsOf, secretOverlapMs, type UrlRules } from './domain.ts'
import { newSigningSecret, type SubscriptionSeals } from './secrets.ts'
import * as store from './store.ts'

export interface SubscriptionRoutes {
  db: Database
  seals: SubscriptionSeals
  rules: UrlRules
  origin: EventOrigin
  relay: Relay
  /** Lets the engine know that what it holds of a subscription may have changed. */
  onChange: (subscriptionId: string) => void
}

type SubscriptionOperations = 'subscribe' | 'unsubscribe' | 'getSubscription' | 'rotateSigningSecret'

/** Subscribe, unsubscribe, read, rotate: one subscription per client and site. */
export function subscriptionRoutes(deps: SubscriptionRoutes): OperationHandlers<SubscriptionOperations> {
  const { db, seals, rules, origin, relay, onChange } = deps
  return {
    async subscribe({ body, principal, site, resourceId }) {
      const headers = body.Headers ?? []
      checkHeaders(headers)
      checkEventTypes(body.EventTypes)
      const url = checkUrl(body.Url, principal.webhookUrl, rules)
      const settings = {
        site: eventSiteOf(site),
        url,
        eventTypes: [...new Set(body.EventTypes)],
        headerNames: headers.map((header) => header.Name),
      }
      const outcome = await transaction(db.pool, async (tx) => {
        const present = await store.lockSubscription(tx, principal.id, site.slug)
        const endpointId = await store.endpointOf(tx, principal.id, url)
        // A request that is resumed finds what its first try had made.
        if (present?.id === resourceId)
          return { id: present.id, secret: seals.openSecret(present.id, present.sealedSecret) }
        const id = present?.id ?? resourceId
        const next = { ...settings, endpointId, sealedHeaders: seals.sealHeaders(id, headers) }
        if (present === undefined) {
          const secret = newSigningSecret()
          await store.insertSubscription(tx, {
            ...next,
            id,
            client: principal.id,
            sealedSecret: seals.sealSecret(id, secret),
          })
          return { id, secret }
        }
        const version = await store.replaceSettings(tx, id, next)
        if (present.state === 'paused')
          await store.appendStateEvent(tx, origin, present, { version, state: 'active', now: new Date() })
        return { id }
      })
      relay.wake()
      onChange(outcome.id)
      const subscription = { Headers: headers, EventTypes: settings.eventTypes, Url: url }
      if (outcome.secret === undefined) return { status: 200, body: subscription }
      return { status: 201, body: { ...subscription, SigningSecret: outcome.secret } }
    },

    async unsubscribe({ principal, site }) {
      const ended = await transaction(db.pool, async (tx) => {
        const present = await store.lockSubscription(tx, principal.id, site.slug)
        if (present === undefined) throw problem('subscription_not_found')
        await store.endSubscriptions(tx, [present.id], 0)
        await store.cancelPending(tx, present.id, oldestOpenId(Date.now()))
        return present
      })
      onChange(ended.id)
      const headers = seals.openHeaders(ended.id, ended.sealedHeaders)
      return { status: 200, body: { Headers: headers, EventTypes: ended.eventTypes, Url: ended.url } }
    },

    async getSubscription({ principal, site }) {
      const found = await findSubscription(db, principal, site)
      return {
        status: 200,
        body: { Headers: found.headerNames, EventTypes: found.eventTypes, Labels: labelsOf(found), Url: found.url },
      }
    },

    async rotateSigningSecret({ principal, site, resourceId }) {
      const rotated = await transaction(db.pool, async (tx) => {
        const present = await store.lockSubscription(tx, principal.id, site.slug)
        if (present === undefined) throw problem('subscription_not_found')
        const { id, previousSecretExpiresAt } = present
        // A request that is resumed must not push the secret out that its first try had made, and nobody has seen.
        if (present.rotationId === resourceId && previousSecretExpiresAt !== null) {
          return { id, secret: seals.openSecret(id, present.sealedSecret), until: previousSecretExpiresAt }
        }
        const secret = newSigningSecret()
        const sealedSecret = seals.sealSecret(id, secret)
        const until = await store.rotateSecret(tx, id, {
          rotationId: resourceId,
          sealedSecret,
          overlapMs: secretOverlapMs,
        })
        return { id, secret, until }
      })
      onChange(rotated.id)
      return {
        status: 200,
        body: { SigningSecret: rotated.secret, PreviousSecretExpiresAt: rotated.until.toISOString() },
      }
    },
  }
}

/** The caller's subscription to a site. Throws `subscription_not_found`. */
export async function findSubscription(db: Database, principal: Principal, site: SiteAccess): Promise<Subscription> {
  const found = await db.prisma.subscription.findFirst({
    where: { client: principal.id, siteSlug: site.slug, deletedAt: null },
  })
  if (found === null) throw problem('subscription_not_found')
  return found
}
