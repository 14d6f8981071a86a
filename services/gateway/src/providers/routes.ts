import { internalOperations, PaymentProvider } from '@frontdesk/contracts'
import type { InternalClient } from '@frontdesk/service/calls'
import type { FastifyInstance } from 'fastify'

const receivers = { payments: 'receivePaymentWebhook', accounts: 'receiveAccountWebhook' } as const

/**
 * Registers the addresses of payment providers' webhooks, `/providers/{provider}/webhooks/{payments|accounts}`, with the
 * provider in lower case. The service gets the exact bytes and the signature, verifies and stores them. 200 means stored.
 */
export function providerRoutes(app: FastifyInstance, internal: InternalClient): void {
  for (const provider of PaymentProvider.enum) {
    for (const [kind, operation] of Object.entries(receivers)) {
      app.post(`/providers/${provider.toLowerCase()}/webhooks/${kind}`, async ({ headers, body, traceparent }) => {
        const passed = internalOperations[operation].headers.flatMap((name) => {
          const value = headers[name]
          return typeof value === 'string' ? [[name, value] as const] : []
        })
        await internal.call(
          operation,
          { Provider: provider },
          { bytes: body instanceof Buffer ? body : Buffer.alloc(0), headers: Object.fromEntries(passed), traceparent },
        )
        return {}
      })
    }
  }
}
