import { randomUUID } from 'node:crypto'
import { receivedHeaders, type EventData, type PaymentProvider as ProviderName } from '@frontdesk/contracts'
import type { ProviderEvent, Providers, WebhookReply, WebhookRequest } from './port.ts'
import { enabledProvider } from './providers.ts'

/** How long a service keeps the webhooks that it stored: as long as a provider keeps its events. */
export const receivedWebhookRetention = {
  rule: '30 days, as long as the provider keeps its events',
  deletion: { table: 'provider_events', column: 'received_at', after: '30 days' },
} as const

/** An event of a webhook that the provider has checked. */
export interface ReceivedWebhook {
  provider: ProviderName
  /** Its id is the provider's, or one of ours if the provider gives none: then every delivery is an event of its own. */
  event: ProviderEvent & { id: string }
  /** The reason to store it without applying it; undefined if it is to be applied. */
  shelved: string | undefined
}

/**
 * Has the provider check a webhook that the gateway has passed on, and returns its events, each to be stored before `reply`
 * acknowledges all of them. Throws `provider_not_available` (422), and `provider_signature_invalid` or `malformed_json` (400).
 */
export function verifyReceived(
  providers: Providers,
  name: ProviderName,
  request: WebhookRequest,
  now: Date,
): { webhooks: ReceivedWebhook[]; reply: WebhookReply | undefined } {
  const provider = enabledProvider(providers, name)
  const { events, reply } = provider.receiveWebhook({ ...request, headers: receivedHeaders(request.headers) }, now)
  const webhooks = events.map((event) => ({
    provider: name,
    event: { ...event, id: event.id ?? randomUUID() },
    // The live endpoint of a platform also receives test events of its connected accounts.
    shelved: event.livemode === provider.livemode ? undefined : 'of the other mode',
  }))
  return { webhooks, reply }
}

/** Returns the event that queues a webhook for the service that received it. */
export function queuedEvent({ provider, event }: ReceivedWebhook) {
  const data: EventData<'provider.event.received'> = {
    provider,
    providerEventId: event.id,
    providerEventType: event.type,
    objectId: event.objectId,
    ...(event.account === undefined ? {} : { externalAccountId: event.account }),
  }
  const aggregate = { type: 'provider-event', id: `${provider}:${event.id}`, version: 1 } as const
  return { type: 'provider.event.received', aggregate, data } as const
}
