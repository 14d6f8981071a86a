import type { Subscription } from '../db.ts'

/** The subscription as clients read it: header names without values, and no secret. */
export function toSubscription(found: Subscription) {
  return { Headers: found.headerNames, EventTypes: found.eventTypes, Labels: labelsOf(found), Url: found.url }
}

/** The labels of a subscription: its purpose, its state, and why it is paused. */
export function labelsOf({ state, pauseReason }: { state: string; pauseReason: string | null }): string[] {
  return ['payments', state, ...(pauseReason === null ? [] : [pauseReason])]
}
