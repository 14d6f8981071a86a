import { enabledProvider, type AccountDeps } from '../accounts/provider.ts'
import type { InternalHandlers } from '@frontdesk/service'
import { storeProviderEvent } from './store.ts'

/**
 * Takes a provider's webhook as the gateway passes it on: verified over its raw bytes, stored once, acknowledged.
 * The acknowledgement means "stored": it waits for no broker and no provider.
 */
export function providerWebhookRoute({
  pool,
  origin,
  providers,
  relay,
}: AccountDeps): InternalHandlers<'receiveAccountWebhook'> {
  return {
    async receiveAccountWebhook({ params, body, headers, traceparent }) {
      const provider = enabledProvider(providers, params.Provider)
      const signature = headers['stripe-signature']
      const event = provider.verifyWebhook(body, Array.isArray(signature) ? signature.join(',') : signature, new Date())
      // A live endpoint of a platform gets test events of its connected accounts as well.
      const shelved = event.livemode === provider.livemode ? undefined : 'of the other mode'
      await storeProviderEvent(pool, origin, provider.name, event, {
        payload: body.toString('utf8'),
        traceparent,
        shelved,
      })
      relay.wake()
      return {}
    },
  }
}
