import { verifyReceived } from '@frontdesk/providers'
import type { InternalHandlers } from '@frontdesk/service/http'
import type { PaymentDeps } from '../payments/provider.ts'
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
}: PaymentDeps): InternalHandlers<'receivePaymentWebhook'> {
  return {
    async receivePaymentWebhook({ params, body, headers, traceparent }) {
      const webhook = verifyReceived(providers, params.Provider, { body, headers }, new Date())
      await storeProviderEvent(pool, origin, webhook, traceparent)
      relay.wake()
      return {}
    },
  }
}
