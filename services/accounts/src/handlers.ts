import { consumers } from '@frontdesk/contracts'
import type { ConsumerHandler } from '@frontdesk/events'
import { applySiteEvent } from './accounts/consumers.ts'
import type { AccountDeps } from './accounts/provider.ts'
import { applyProviderEvent } from './provider-events/consumers.ts'

/** Returns the handlers of the service's consumers. */
export function createHandlers(deps: AccountDeps): ConsumerHandler[] {
  return [
    { consumer: consumers.accountsSites, handle: (message) => applySiteEvent(deps, message) },
    {
      consumer: consumers.accountsProviderEvents,
      handle: (message) => applyProviderEvent(deps, message, message.info.deliveryCount),
    },
  ]
}
