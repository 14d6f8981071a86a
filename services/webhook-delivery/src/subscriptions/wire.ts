import type { SubscriptionSummary } from '@frontdesk/contracts'
import type { Subscription } from '../db.ts'
import { receiverKey, type SubscriptionCipher } from './secrets.ts'

/** The subscription as its client reads it: header names without values, and no secret but a key that is public. */
export function toSubscription(found: Subscription, cipher: SubscriptionCipher) {
  const key = receiverKey(cipher.decryptSecret(found.id, found.encryptedSecret))
  return {
    ...('PublicKey' in key ? key : {}),
    Headers: found.headerNames,
    EventTypes: found.eventTypes,
    Labels: labelsOf(found),
    Url: found.url,
  }
}

/** The subscription as those with access to its site see it, whoever made it: nothing that may hold a secret of its maker. */
export function toSummary(found: Subscription): SubscriptionSummary {
  return {
    SubscriptionId: found.id,
    MadeBy: found.client,
    Receiver: new URL(found.url).origin,
    Headers: found.headerNames,
    EventTypes: found.eventTypes,
    Labels: labelsOf(found),
    CreatedAt: found.createdAt.toISOString(),
    ChangedAt: found.changedAt.toISOString(),
  }
}

/** The labels of a subscription: its purpose, its state, and why it is paused. */
export function labelsOf({ state, pauseReason }: { state: string; pauseReason: string | null }): string[] {
  return ['payments', state, ...(pauseReason === null ? [] : [pauseReason])]
}
