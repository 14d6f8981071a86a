import { hash } from 'node:crypto'
import { clientAddressHeader } from '@frontdesk/service/audit'
import type { InternalClient } from '@frontdesk/service/calls'
import { asProblem } from '@frontdesk/service/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../rate-limits/addresses.ts'
import { onboardingAddressPolicy, onboardingLinkPolicy, type RateLimits } from '../rate-limits/limits.ts'
import { pageHeaders, pages, renderPage, type Page } from './pages.ts'

/** Registers what people open in a browser: an account's onboarding link, and the pages after onboarding and checkout. */
export function landingPageRoutes(app: FastifyInstance, internal: InternalClient, limits: RateLimits): void {
  app.get<{ Params: { token: string } }>('/onboarding/:token', {
    errorHandler: (error, request, reply) => void sendRefusal(error, request, reply),
    handler: async (request, reply) => {
      const { token } = request.params
      const giveBack = limits.attempt(onboardingAddressPolicy, networkOf(request.ip))
      // By its signed part: what follows may be spelt in several ways.
      limits.attempt(onboardingLinkPolicy, hash('sha256', token.split('.', 1)[0] ?? '', 'base64'))
      const { url } = await internal.call(
        'mintOnboardingLink',
        { Token: token },
        {
          traceparent: request.traceparent,
          headers: { 'x-request-id': request.requestId, [clientAddressHeader]: request.ip },
        },
      )
      giveBack()
      // Each visit gets its own link, which works once and for minutes.
      return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(url, 302)
    },
  })
  app.get('/onboarding/done', async (_request, reply) => sendPage(reply, 200, pages.onboardingDone))
  app.get('/checkout/done', async (_request, reply) => sendPage(reply, 200, pages.checkoutDone))
}

/** Sends a page instead of a problem document, since a person reads it. */
function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asProblem(error)
  if (refusal.code === 'rate_limited') {
    reply.header('retry-after', String(refusal.options.retryAfter ?? 60))
    return sendPage(reply, 429, pages.tooOften)
  }
  if (refusal.status < 500) return sendPage(reply, 404, pages.linkInvalid)
  request.log.error({ err: refusal, cause: refusal.options.cause, traceId: request.traceId }, 'no onboarding link')
  reply.header('retry-after', String(refusal.options.retryAfter ?? 60))
  return sendPage(reply, 503, pages.tryAgain)
}

function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  return reply.code(status).headers(pageHeaders).send(renderPage(page))
}
