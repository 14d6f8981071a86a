import { hash } from 'node:crypto'

/**
 * The DeliveryId of an event and a subscription: a UUID (version 8) with the event's time in front and a digest of both
 * behind. It is the same whoever computes it, so it is stored nowhere, and the time in it says where to look.
 */
export function deliveryIdOf(eventId: string, subscriptionId: string): string {
  const digest = hash('sha256', `${eventId} ${subscriptionId}`)
  return `${eventId.slice(0, 13)}-8${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`
}
