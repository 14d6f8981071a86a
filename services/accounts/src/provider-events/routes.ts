import { verifyReceived } from '@frontdesk/providers'
import type { InternalHandlers } from '@frontdesk/service/http'
import type { AccountDeps } from '../accounts/provider.ts'
import { storeProviderEvent } from './store.ts'

export function providerWebhookRoute(deps: AccountDeps): InternalHandlers<'receiveAccountWebhook'> {
  const { pool, origin, providers, relay, now } = deps
  return {
    /**
     * Takes a provider's webhook from the gateway: verifies its raw bytes, stores it once, and acknowledges it. The
     * acknowledgement means "stored": it waits for no broker and no provider.
     */
    async receiveAccountWebhook({ params, body, headers, traceparent }) {
      const { webhooks, reply } = verifyReceived(providers, params.Provider, { body, headers }, now())
      for (const webhook of webhooks) await storeProviderEvent(pool, origin, webhook, traceparent)
      relay.wake()
      return reply === undefined ? {} : { reply }
    },
  }
}
