import type { IncomingHttpHeaders } from 'node:http'
import type { EventData, PaymentProvider as ProviderName } from '@frontdesk/contracts'
import type { ProviderEvent, Providers } from './port.ts'
import { enabledProvider } from './providers.ts'

/** A provider's webhook, proven to be its own. */
export interface ReceivedWebhook {
  provider: ProviderName
  event: ProviderEvent
  /** The body as it came. */
  payload: string
  /** Why it is kept but not applied. */
  shelved: string | undefined
}

/**
 * Verifies a provider's webhook over its raw bytes, as of `now`. Throws `provider_not_available` (422) and
 * what `verifyWebhook` throws (port.ts).
 */
export function verifyReceived(
  providers: Providers,
  name: ProviderName,
  { body, headers }: { body: Buffer; headers: IncomingHttpHeaders },
  now: Date,
): ReceivedWebhook {
  const provider = enabledProvider(providers, name)
  const signature = headers['stripe-signature']
  const event = provider.verifyWebhook(body, Array.isArray(signature) ? signature.join(',') : signature, now)
  // A live endpoint of a platform gets test events of its connected accounts as well.
  const shelved = event.livemode === provider.livemode ? undefined : 'of the other mode'
  return { provider: name, event, payload: body.toString('utf8'), shelved }
}

/** The event by which a webhook is queued for its own service: a hint of what to ask the provider for. */
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
