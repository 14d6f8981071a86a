import { hash } from 'node:crypto'

/**
 * The DeliveryId of an event and a subscription: a UUID (version 8) that begins with the event's time and ends with a
 * digest of both. It is computed and never stored; its time tells which rows to compare.
 */
export function deliveryIdOf(eventId: string, subscriptionId: string): string {
  const digest = hash('sha256', `${eventId} ${subscriptionId}`)
  return `${eventId.slice(0, 13)}-8${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`
}
