import { verifyReceived } from '@frontdesk/providers'
import type { InternalHandlers } from '@frontdesk/service/http'
import type { PaymentDeps } from '../payment/deps.ts'
import { storeProviderEvent } from './store.ts'

/**
 * Verifies a provider's webhook over its raw bytes, as the gateway passes it on, and stores it once. The acknowledgement
 * means "stored": it waits for no broker and no provider.
 */
export function providerWebhookRoute({
  pool,
  origin,
  providers,
  relay,
  now,
}: PaymentDeps): InternalHandlers<'receivePaymentWebhook'> {
  return {
    async receivePaymentWebhook({ params, body, headers, traceparent }) {
      const { webhooks, reply } = verifyReceived(providers, params.Provider, { body, headers }, now())
      for (const webhook of webhooks) await storeProviderEvent(pool, origin, webhook, traceparent)
      relay.wake()
      return reply === undefined ? {} : { reply }
    },
  }
}
