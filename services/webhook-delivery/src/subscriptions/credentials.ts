import type { ClientRights } from '@frontdesk/contracts'
import { transaction, type Pool, type Transaction } from '@frontdesk/database'
import type { EventOrigin } from '@frontdesk/events'
import type { Subscription } from '../db.ts'
import { oldestOpenId } from '../event-ids.ts'
import * as credentials from './credentials-store.ts'
import { principalOfSite, type CredentialReason } from './domain.ts'
import * as store from './store.ts'

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

export interface CredentialDeps {
  pool: Pool
  origin: EventOrigin
  /** Publishes the outbox. */
  wake: () => void
  onChange: (subscriptionId: string) => void
}

/** Ends a site key in a transaction of its own, and tells every replica. */
export async function endSiteKeyNow(
  { pool, origin, wake, onChange }: CredentialDeps,
  ended: { siteSlug: string; siteKeyId: string },
): Promise<string[]> {
  const paused = await transaction(pool, (tx) => endSiteKey(tx, origin, ended))
  wake()
  for (const id of paused) onChange(id)
  return paused
}

const mostAtOnce = 100

/**
 * Pauses the subscriptions of clients that have lost a right to them, and resumes those of clients that have it again: a fault in
 * the gateway's list heals by itself. Returns how many of each.
 */
export async function followRights(
  deps: CredentialDeps,
  rights: ClientRights,
): Promise<{ paused: number; resumed: number }> {
  const paused = await correct(deps, rights, false, (tx, found) => lockOut(tx, deps.origin, found, 'rights_lost'))
  const resumed = await correct(deps, rights, true, (tx, found) => resume(tx, deps.origin, found))
  return { paused, resumed }
}

/** Changes all subscriptions that are misjudged in one direction, some at a time. Returns how many. */
async function correct(
  { pool, wake, onChange }: CredentialDeps,
  rights: ClientRights,
  entitled: boolean,
  change: (tx: Transaction, found: Subscription) => Promise<void>,
): Promise<number> {
  for (let count = 0; ;) {
    const changed = await transaction(pool, async (tx) => {
      const found = await credentials.lockMisjudged(tx, rights, { entitled, most: mostAtOnce })
      for (const each of found) await change(tx, each)
      return found
    })
    if (changed.length > 0) wake()
    for (const { id } of changed) onChange(id)
    count += changed.length
    if (changed.length < mostAtOnce) return count
  }
}

async function resume(tx: Transaction, origin: EventOrigin, subscription: Subscription): Promise<void> {
  const version = await store.resumeSubscription(tx, subscription.id)
  await store.appendStateEvent(tx, origin, subscription, { version, state: 'active', now: new Date() })
}
