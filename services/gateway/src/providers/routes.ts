import { passedOn, PaymentProvider } from '@frontdesk/contracts'
import { ProblemError } from '@frontdesk/problems'
import { clientAddressHeader } from '@frontdesk/service/audit'
import type { InternalClient } from '@frontdesk/service/calls'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { networkOf } from '../rate-limits/addresses.ts'
import { refusedWebhookPolicy, type RateLimits } from '../rate-limits/limits.ts'

const receivers = { payments: 'receivePaymentWebhook', accounts: 'receiveAccountWebhook' } as const

const prefix = '/providers/'

/** How long an address counts as a provider's after a webhook from it was signed right. */
const provenMs = 24 * 60 * 60 * 1000

/** Whether a route is an address of providers' webhooks. */
export const isProviderWebhook = (route: string): boolean => route.startsWith(prefix)

/**
 * Registers the addresses of payment providers' webhooks, `/providers/{provider}/webhooks/{payments|accounts}`, with the
 * provider in lower case. The service gets the exact bytes and the headers, verifies and stores them. 200 means stored.
 */
export function providerRoutes(app: FastifyInstance, internal: InternalClient, limits: RateLimits): void {
  // Forged webhooks beside those of a provider, from its own address, must not have its own refused.
  const proven = new LRUCache<string, true>({ max: 10_000, ttl: provenMs })

  /** Runs `receive` for a webhook from an address. Throws `rate_limited` if too many from there were refused. */
  async function counted<T>(address: string, receive: () => Promise<T>): Promise<T> {
    const from = networkOf(address)
    const giveBack = proven.has(from) ? undefined : limits.attempt(refusedWebhookPolicy, from)
    try {
      const answer = await receive()
      proven.set(from, true)
      giveBack?.()
      return answer
    } catch (error) {
      // A service that is away has refused nothing.
      if (!(error instanceof ProblemError && error.status < 500)) giveBack?.()
      throw error
    }
  }

  for (const provider of PaymentProvider.enum) {
    for (const [kind, operation] of Object.entries(receivers)) {
      app.post(
        `${prefix}${provider.toLowerCase()}/webhooks/${kind}`,
        async ({ headers, body, traceparent, ip }, reply) => {
          const bytes = body instanceof Buffer ? body : Buffer.alloc(0)
          const call = { bytes, headers: { ...passedOn(headers), [clientAddressHeader]: ip }, traceparent }
          const answer = await counted(ip, () => internal.call(operation, { Provider: provider }, call))
          if (answer.reply === undefined) return {}
          return reply.type(answer.reply.contentType).send(answer.reply.body)
        },
      )
    }
  }
}
