import type { DeliveryState } from '@frontdesk/contracts'
import { mostAttempts } from '../replies/outcome.ts'

/** The answer to a request to send a delivery again. */
export type Redelivery = 'now' | 'already on its way' | 'too late' | 'too often'

/**
 * Decides whether a delivery can be sent again: until 14 days after its event, or until its event expires. A leased
 * delivery is on its way already.
 */
export function decideRedelivery(
  delivery: {
    state: DeliveryState
    isLeased: boolean
    endsAt: number
    expiresAt: number | undefined
    attempts: number
  },
  now: number,
): Redelivery {
  if (delivery.isLeased) return 'already on its way'
  if (now >= delivery.endsAt || (delivery.expiresAt !== undefined && now >= delivery.expiresAt)) return 'too late'
  return delivery.attempts >= mostAttempts ? 'too often' : 'now'
}
