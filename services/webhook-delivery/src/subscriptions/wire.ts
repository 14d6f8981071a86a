import type { SubscriptionSummary } from '@frontdesk/contracts'
import type { Subscription } from '../db.ts'

/** The subscription as clients read it: header names without values, and no secret. */
export function toSubscription(found: Subscription) {
  return { Headers: found.headerNames, EventTypes: found.eventTypes, Labels: labelsOf(found), Url: found.url }
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
