import { PaymentProvider } from '@frontdesk/contracts'
import type { InternalClient } from '@frontdesk/service/calls'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const receivers = { payments: 'receivePaymentWebhook', accounts: 'receiveAccountWebhook' } as const

/**
 * Where payment providers send their webhooks: `/providers/{provider}/webhooks/{payments|accounts}`, the provider in
 * lower case. The very bytes and their signature go to the service, which checks, stores and then answers: 200 means
 * that it is stored.
 */
export function providerRoutes(app: FastifyInstance, internal: InternalClient): void {
  for (const provider of PaymentProvider.enum) {
    for (const [kind, operation] of Object.entries(receivers)) {
      app.post(`/providers/${provider.toLowerCase()}/webhooks/${kind}`, async (request) => {
        await internal.call(operation, { Provider: provider }, webhookOf(request))
        return {}
      })
    }
  }
}

function webhookOf(request: FastifyRequest) {
  const signature = request.headers['stripe-signature']
  return {
    bytes: request.body instanceof Buffer ? request.body : Buffer.alloc(0),
    headers: typeof signature === 'string' ? { 'stripe-signature': signature } : {},
    traceparent: request.traceparent,
  }
}
