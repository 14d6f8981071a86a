import { transaction, type Pool, type Transaction } from '@frontdesk/database'
import type { EventOrigin } from '@frontdesk/events'
import type { Subscription } from '../db.ts'
import { oldestOpenId } from '../event-ids.ts'
import * as credentials from './credentials-store.ts'
import type { CredentialReason } from './domain.ts'
import * as store from './store.ts'

/** The principal that stands for both keys of a site. */
export const principalOfSite = (siteSlug: string) => `site:${siteSlug}`

/**
 * Notes that a site key was replaced, and pauses the subscription that it made or last changed. One that was made before keys were
 * known is paused by either key. Returns the ids of the subscriptions that are paused for it; the same when it is repeated.
 */
export async function endSiteKey(
  tx: Transaction,
  origin: EventOrigin,
  { siteSlug, siteKeyId }: { siteSlug: string; siteKeyId: string },
): Promise<string[]> {
  // Subscribing takes the same lock: it comes first and is found here, or finds the key replaced.
  const existing = await store.lockSubscription(tx, principalOfSite(siteSlug), siteSlug)
  await credentials.noteReplacedKey(tx, siteKeyId)
  if (existing === undefined) return []
  if (existing.siteKeyId !== null && existing.siteKeyId !== siteKeyId) return []
  await lockOut(tx, origin, existing, 'site_key_replaced')
  return [existing.id]
}

/** Pauses a locked subscription because of its credential, whatever else it is paused for: a probe would send it an event. */
export async function lockOut(
  tx: Transaction,
  origin: EventOrigin,
  subscription: Subscription,
  reason: CredentialReason,
): Promise<void> {
  if (subscription.pauseReason === reason) return
  const version = await store.pauseSubscription(tx, subscription.id, reason, 0)
  await credentials.releaseClaims(tx, [subscription.id], oldestOpenId(Date.now()))
  await store.appendStateEvent(tx, origin, subscription, { version, state: 'paused', reason, now: new Date() })
}

export interface EndSiteKeyDeps {
  pool: Pool
  origin: EventOrigin
  /** Publishes the outbox. */
  wake: () => void
  onChange: (subscriptionId: string) => void
}

/** Ends a site key in a transaction of its own, and tells every replica. */
export async function endSiteKeyNow(
  { pool, origin, wake, onChange }: EndSiteKeyDeps,
  ended: { siteSlug: string; siteKeyId: string },
): Promise<string[]> {
  const paused = await transaction(pool, (tx) => endSiteKey(tx, origin, ended))
  wake()
  for (const id of paused) onChange(id)
  return paused
}
