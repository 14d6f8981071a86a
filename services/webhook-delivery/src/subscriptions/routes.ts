import { transaction, type Transaction } from '@frontdesk/database'
import { eventSiteOf, type EventOrigin, type Relay } from '@frontdesk/events'
import type { Signing, SiteAccess } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import { recordAct } from '@frontdesk/service/audit'
import type { OperationHandlers } from '@frontdesk/service/http'
import type { Principal } from '@frontdesk/service/tokens'
import type { Database, Subscription } from '../db.ts'
import { oldestOpenId } from '../event-ids.ts'
import { isReplacedKey } from './credentials-store.ts'
import { checkHeaders, checkUrl, secretOverlapMs, type UrlRules } from './domain.ts'
import { checkEventTypes } from './event-types.ts'
import { newSigningSecret, receiverKey, signingOf, type SubscriptionCipher } from './secrets.ts'
import * as store from './store.ts'
import { toSubscription } from './wire.ts'

export interface SubscriptionRoutesDeps {
  db: Database
  cipher: SubscriptionCipher
  rules: UrlRules
  origin: EventOrigin
  relay: Relay
  /** Tells every replica's engine that a subscription changed. */
  onChange: (subscriptionId: string) => void
}

type SubscriptionOperations = 'subscribe' | 'unsubscribe' | 'getSubscription' | 'rotateSigningSecret'

/** Subscribe, unsubscribe, read, rotate: one subscription per client and site. */
export function subscriptionRoutes(deps: SubscriptionRoutesDeps): OperationHandlers<SubscriptionOperations> {
  const { db, cipher, rules, origin, relay, onChange } = deps

  return {
    async subscribe({ body, principal, site, resourceId, act }) {
      const headers = body.Headers ?? []
      checkHeaders(headers)
      checkEventTypes(body.EventTypes, principal)
      const url = checkUrl({ given: body.Url, ofClient: principal.webhookUrl, ofSite: site.webhookUrl }, rules)
      const settings = {
        site: eventSiteOf(site),
        url,
        eventTypes: [...new Set(body.EventTypes)],
        headerNames: headers.map((header) => header.Name),
        siteKeyId: principal.siteKeyId ?? null,
      }
      const outcome = await transaction(db.pool, async (tx) => {
        const existing = await store.lockSubscription(tx, principal.id, site.slug)
        await requirePresentKey(tx, principal)
        const endpointId = await store.endpointOf(tx, principal.id, new URL(url).origin)
        // A resumed request finds the subscription, or the secret, that its first try made.
        if (existing !== undefined && (existing.id === resourceId || existing.rotationId === resourceId)) {
          const secret = cipher.decryptSecret(existing.id, existing.encryptedSecret)
          return { id: existing.id, isNew: existing.id === resourceId, secret }
        }
        const id = existing?.id ?? resourceId
        act.about(`subscription:${id}`)
        const next = { ...settings, endpointId, encryptedHeaders: cipher.encryptHeaders(id, headers) }
        if (existing === undefined) {
          const secret = newSigningSecret(body.Signing)
          const encryptedSecret = cipher.encryptSecret(id, secret)
          await store.insertSubscription(tx, { ...next, id, client: principal.id, encryptedSecret })
          await recordAct(tx, act)
          return { id, isNew: true, secret }
        }
        const present = signingOf(cipher.decryptSecret(id, existing.encryptedSecret))
        const signing = body.Signing ?? present
        // Whoever had a replaced site key may know the secret.
        const mustRotate = signing !== present || existing.pauseReason === 'site_key_replaced'
        const by = { rotationId: resourceId, principal }
        const rotated = mustRotate ? await rotate({ tx, cipher }, id, signing, by) : undefined
        const version = await store.replaceSettings(tx, id, next)
        await recordAct(tx, act)
        if (existing.state === 'paused')
          await store.appendStateEvent(tx, origin, existing, { version, state: 'active', now: new Date() })
        return { id, isNew: false, secret: rotated?.secret }
      })
      relay.wake()
      onChange(outcome.id)
      const subscription = { Headers: headers, EventTypes: settings.eventTypes, Url: url }
      const told = outcome.secret === undefined ? {} : receiverKey(outcome.secret)
      return { status: outcome.isNew ? 201 : 200, body: { ...subscription, ...told } }
    },

    async unsubscribe({ principal, site, act }) {
      const ended = await transaction(db.pool, async (tx) => {
        const existing = await store.lockSubscription(tx, principal.id, site.slug)
        if (existing === undefined) throw problem('subscription_not_found')
        act.about(`subscription:${existing.id}`)
        await store.cancelPending(tx, existing.id, oldestOpenId(Date.now()))
        await store.endSubscriptions(tx, [existing.id], 0)
        await recordAct(tx, act)
        return existing
      })
      onChange(ended.id)
      const headers = cipher.decryptHeaders(ended.id, ended.encryptedHeaders)
      return { status: 200, body: { Headers: headers, EventTypes: ended.eventTypes, Url: ended.url } }
    },

    async getSubscription({ principal, site }) {
      return { status: 200, body: toSubscription(await findSubscription(db, principal, site), cipher) }
    },

    async rotateSigningSecret({ principal, site, resourceId, act }) {
      const rotated = await transaction(db.pool, async (tx) => {
        const existing = await store.lockSubscription(tx, principal.id, site.slug)
        if (existing === undefined) throw problem('subscription_not_found')
        await requirePresentKey(tx, principal)
        const { id, previousSecretExpiresAt } = existing
        act.about(`subscription:${id}`)
        // A resumed request must return the secret of its first try, which nobody has seen yet, and not replace it.
        if (existing.rotationId === resourceId && previousSecretExpiresAt !== null) {
          return { id, secret: cipher.decryptSecret(id, existing.encryptedSecret), until: previousSecretExpiresAt }
        }
        const present = signingOf(cipher.decryptSecret(id, existing.encryptedSecret))
        const { secret, until } = await rotate({ tx, cipher }, id, present, { rotationId: resourceId, principal })
        await recordAct(tx, act)
        return { id, secret, until }
      })
      onChange(rotated.id)
      return {
        status: 200,
        body: { ...receiverKey(rotated.secret), PreviousSecretExpiresAt: rotated.until.toISOString() },
      }
    },
  }
}

/** Gives a locked subscription a new secret. Returns it, and until when the one before signs beside it. */
async function rotate(
  { tx, cipher }: { tx: Transaction; cipher: SubscriptionCipher },
  id: string,
  signing: Signing,
  { rotationId, principal }: { rotationId: string; principal: Principal },
): Promise<{ secret: string; until: Date }> {
  const secret = newSigningSecret(signing)
  const encryptedSecret = cipher.encryptSecret(id, secret)
  const siteKeyId = principal.siteKeyId ?? null
  const until = await store.rotateSecret(tx, id, { rotationId, encryptedSecret, siteKeyId, overlapMs: secretOverlapMs })
  return { secret, until }
}

/** Throws `unauthorized` for a site key that was replaced, which a gateway may let through for a while. */
async function requirePresentKey(tx: Transaction, { siteKeyId }: Pick<Principal, 'siteKeyId'>): Promise<void> {
  if (siteKeyId !== undefined && (await isReplacedKey(tx, siteKeyId)))
    throw problem('unauthorized', { detail: 'This site API key has been replaced.' })
}

/** The caller's subscription to a site. Throws `subscription_not_found`. */
export async function findSubscription(db: Database, principal: Principal, site: SiteAccess): Promise<Subscription> {
  const found = await db.prisma.subscription.findFirst({
    where: { client: principal.id, siteSlug: site.slug, deletedAt: null },
  })
  if (found === null) throw problem('subscription_not_found')
  return found
}
