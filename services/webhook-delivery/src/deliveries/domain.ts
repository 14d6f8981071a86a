import type { DeliveryState } from '@frontdesk/contracts'

/** What asking for a delivery again means for one in that state. */
export type Redelivery = 'now' | 'already on its way' | 'too late'

/**
 * Whether a delivery can be sent again: at any time until it has ended for good, 14 days after its event, or its event
 * has expired. One that is being sent this moment is.
 */
export function decideRedelivery(
  delivery: { state: DeliveryState; isLeased: boolean; endsAt: number; expiresAt: number | undefined },
  now: number,
): Redelivery {
  if (delivery.isLeased) return 'already on its way'
  if (now >= delivery.endsAt || (delivery.expiresAt !== undefined && now >= delivery.expiresAt)) return 'too late'
  return 'now'
}
