import { passedOn, PaymentProvider } from '@frontdesk/contracts'
import { clientAddressHeader } from '@frontdesk/service/audit'
import type { InternalClient } from '@frontdesk/service/calls'
import type { FastifyInstance } from 'fastify'

const receivers = { payments: 'receivePaymentWebhook', accounts: 'receiveAccountWebhook' } as const

const prefix = '/providers/'

/** Whether a route is an address of providers' webhooks. */
export const isProviderWebhook = (route: string): boolean => route.startsWith(prefix)

/**
 * Registers the addresses of payment providers' webhooks, `/providers/{provider}/webhooks/{payments|accounts}`, with the
 * provider in lower case. The service gets the exact bytes and the headers, verifies and stores them. 200 means stored.
 */
export function providerRoutes(app: FastifyInstance, internal: InternalClient): void {
  for (const provider of PaymentProvider.enum) {
    for (const [kind, operation] of Object.entries(receivers)) {
      app.post(
        `${prefix}${provider.toLowerCase()}/webhooks/${kind}`,
        async ({ headers, body, traceparent, ip }, reply) => {
          const answer = await internal.call(
            operation,
            { Provider: provider },
            {
              bytes: body instanceof Buffer ? body : Buffer.alloc(0),
              headers: { ...passedOn(headers), [clientAddressHeader]: ip },
              traceparent,
            },
          )
          if (answer.reply === undefined) return {}
          return reply.type(answer.reply.contentType).send(answer.reply.body)
        },
      )
    }
  }
}
