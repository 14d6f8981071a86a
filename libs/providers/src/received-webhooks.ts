import type { IncomingHttpHeaders } from 'node:http'
import type { EventData, PaymentProvider as ProviderName } from '@frontdesk/contracts'
import type { ProviderEvent, Providers } from './port.ts'
import { enabledProvider } from './providers.ts'

/** A webhook whose signature was checked. */
export interface ReceivedWebhook {
  provider: ProviderName
  event: ProviderEvent
  /** The body as received. */
  payload: string
  /** The reason to store it without applying it; undefined if it is to be applied. */
  shelved: string | undefined
}

/**
 * Checks a webhook's signature over its raw bytes. Throws `provider_not_available` (422), and
 * `provider_signature_invalid` or `malformed_json` (400).
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
  // The live endpoint of a platform also receives test events of its connected accounts.
  const shelved = event.livemode === provider.livemode ? undefined : 'of the other mode'
  return { provider: name, event, payload: body.toString('utf8'), shelved }
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
