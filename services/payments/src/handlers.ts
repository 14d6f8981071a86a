import { consumers } from '@frontdesk/contracts'
import type { ConsumerHandler } from '@frontdesk/events'
import { applyAccountEvent } from './accounts/consumers.ts'
import type { PaymentDeps } from './payment/deps.ts'
import { createProviderEvents } from './provider-events/consumers.ts'
import { applySiteEvent } from './sites/consumers.ts'

/** Returns the handlers of the service's consumers. `wakeChecks` is called when payments have become due for a check. */
export function createHandlers(deps: PaymentDeps, wakeChecks: () => void): ConsumerHandler[] {
  const applyProviderEvent = createProviderEvents(deps)
  return [
    { consumer: consumers.paymentsAccounts, handle: (message) => applyAccountEvent(deps.pool, message) },
    { consumer: consumers.paymentsProviderEvents, handle: applyProviderEvent },
    {
      consumer: consumers.paymentsSites,
      async handle(message) {
        if (await applySiteEvent(deps, message)) wakeChecks()
      },
    },
  ]
}
