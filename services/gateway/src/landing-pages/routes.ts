import { hash } from 'node:crypto'
import type { SiteAccess } from '@frontdesk/contracts'
import { voiceOf, type Voice } from '@frontdesk/pages/language'
import type { Message } from '@frontdesk/pages/message'
import type { ProblemError } from '@frontdesk/problems'
import { clientAddressHeader } from '@frontdesk/service/audit'
import type { InternalClient } from '@frontdesk/service/calls'
import { asProblem } from '@frontdesk/service/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sites } from '../access/sites.ts'
import { networkOf } from '../rate-limits/addresses.ts'
import {
  landingPagePolicy,
  onboardingLinkPolicy,
  unknownLinkPolicy,
  type Policy,
  type RateLimits,
} from '../rate-limits/limits.ts'
import {
  checkoutMessage,
  linkMessage,
  missingCheckout,
  onboardingMessage,
  unknownCheckout,
  unknownOnboarding,
} from './messages.ts'
import { sendPage } from './pages.ts'

export interface LandingPageDeps {
  internal: InternalClient
  limits: RateLimits
  sites: Sites
}

type Visit = FastifyRequest<{ Params: { token: string } }>

/** Registers what people open in a browser: an account's onboarding link, and the pages after onboarding and checkout. */
export function landingPageRoutes(app: FastifyInstance, { internal, limits, sites }: LandingPageDeps): void {
  /** Counts a visit. The returned function gives it back to the visitor's network: the link is ours. */
  function admit({ params: { token }, ip }: Visit, policy: Policy): () => void {
    const giveBack = limits.attempt(unknownLinkPolicy, networkOf(ip))
    // By its signed part: what follows may be spelt in several ways.
    limits.attempt(policy, hash('sha256', token.split('.', 1)[0] ?? '', 'base64'))
    return giveBack
  }

  /** Returns the site of a page; undefined if it is gone or registry does not answer: the page then says less. */
  const siteOf = (slug: string): Promise<SiteAccess | undefined> => sites.bySlug(slug).catch(() => undefined)

  app.get<{ Params: { token: string } }>('/onboarding/:token', {
    errorHandler: (error, request, reply) => void sendRefusal(error, request, reply),
    handler: async (request, reply) => {
      const giveBack = admit(request, onboardingLinkPolicy)
      const { url } = await internal.call(
        'mintOnboardingLink',
        { Token: request.params.token },
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

  app.get<{ Params: { token: string } }>('/onboarding/:token/done', {
    errorHandler: (error, request, reply) => void sendRefusal(error, request, reply, unknownOnboarding),
    handler: async (request, reply) => {
      const giveBack = admit(request, landingPagePolicy)
      const { token } = request.params
      const { traceparent } = request
      const onboarding = await internal.call('getOnboarding', { Token: token }, { traceparent })
      giveBack()
      const site = await siteOf(onboarding.siteSlug)
      const voice = voiceFor(request, site)
      return sendPage(reply, onboardingMessage(onboarding, site?.name, `/onboarding/${token}`, voice), voice)
    },
  })

  app.get<{ Params: { token: string } }>('/checkout/done/:token', {
    errorHandler(error, request, reply) {
      const refusal = asProblem(error)
      if (refusal.code === 'payment_not_found') {
        const voice = voiceFor(request)
        return void sendPage(reply, missingCheckout(voice), voice, 404)
      }
      sendRefusal(refusal, request, reply, unknownCheckout)
    },
    handler: async (request, reply) => {
      const giveBack = admit(request, landingPagePolicy)
      const { traceparent } = request
      const payment = await internal.call('getCheckoutOutcome', { Token: request.params.token }, { traceparent })
      giveBack()
      const site = await siteOf(payment.siteSlug)
      const voice = voiceFor(request, site)
      return sendPage(reply, checkoutMessage(payment, site?.name, voice), voice)
    },
  })

  // Links of earlier releases lead to these.
  app.get('/onboarding/done', async (request, reply) => sendPlain(request, reply, unknownOnboarding))
  app.get('/checkout/done', async (request, reply) => sendPlain(request, reply, unknownCheckout))
}

function voiceFor({ headers }: Pick<FastifyRequest, 'headers'>, site?: SiteAccess): Voice {
  return voiceOf(headers['accept-language'], site?.country)
}

function sendPlain(request: FastifyRequest, reply: FastifyReply, message: (voice: Voice) => Message): FastifyReply {
  const voice = voiceFor(request)
  return sendPage(reply, message(voice), voice)
}

/**
 * Sends a page instead of a problem document, since a person reads it. `whenAway` is the message for somebody who has just finished
 * and must not be sent round again because a service does not answer.
 */
function sendRefusal(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  whenAway?: (voice: Voice) => Message,
): FastifyReply {
  const refusal = asProblem(error)
  const voice = voiceFor(request)
  if (refusal.code === 'rate_limited') {
    reply.header('retry-after', String(refusal.options.retryAfter ?? 60))
    return sendPage(reply, linkMessage('tooOften', voice), voice, 429)
  }
  const isInvalid = refusal.code === 'onboarding_link_invalid' || (whenAway === undefined && refusal.status < 500)
  if (isInvalid) return sendPage(reply, linkMessage('invalid', voice), voice, 404)
  logFailure(request, refusal)
  if (whenAway !== undefined) return sendPage(reply, whenAway(voice), voice)
  reply.header('retry-after', String(refusal.options.retryAfter ?? 60))
  return sendPage(reply, linkMessage('away', voice), voice, 503)
}

function logFailure(request: FastifyRequest, refusal: ProblemError): void {
  request.log.error(
    { err: refusal, cause: refusal.options.cause, traceId: request.traceId },
    'a page for a person failed',
  )
}
