import { verifyReceived } from '@frontdesk/providers'
import type { ServiceClock } from '@frontdesk/service/background'
import type { InternalHandlers } from '@frontdesk/service/http'
import type { AccountDeps } from '../accounts/provider.ts'
import { storeProviderEvent } from './store.ts'

/** `clock` is Postgres's: a signature's time is not judged by a host whose own clock is wrong. */
export function providerWebhookRoute(
  deps: AccountDeps,
  clock: Pick<ServiceClock, 'now'>,
): InternalHandlers<'receiveAccountWebhook'> {
  const { pool, origin, providers, relay } = deps
  return {
    /**
     * Takes a provider's webhook from the gateway: verifies its raw bytes, stores it once, and acknowledges it. The
     * acknowledgement means "stored": it waits for no broker and no provider.
     */
    async receiveAccountWebhook({ params, body, headers, traceparent }) {
      const { webhooks, reply } = verifyReceived(providers, params.Provider, { body, headers }, clock.now())
      for (const webhook of webhooks) await storeProviderEvent(pool, origin, webhook, traceparent)
      relay.wake()
      return reply === undefined ? {} : { reply }
    },
  }
}
