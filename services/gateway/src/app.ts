import { problem } from '@frontdesk/problems'
import type { InternalClient } from '@frontdesk/service/calls'
import { createServer, longestAddress } from '@frontdesk/service/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { createAdmission, type AdmissionOptions } from './access/admission.ts'
import { serveDocuments } from './documents/routes.ts'
import { givenRequestId } from './forwarding/headers.ts'
import { watchPaths } from './forwarding/known-paths.ts'
import { forwardingRoutes, type ForwardingOptions } from './forwarding/routes.ts'
import { onboardingRoutes } from './onboarding/routes.ts'
import type { Shedding } from './overload/shedding.ts'
import { providerRoutes } from './providers/routes.ts'
import { tokenRoutes, type TokenRoutesOptions } from './tokens/routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's `x-request-id`, else the trace id; echoed and passed on. */
    requestId: string
  }
}

export interface AppOptions extends AdmissionOptions, TokenRoutesOptions, Omit<ForwardingOptions, 'admit'> {
  internal: InternalClient
  log: Logger
  metrics: Registry
  ready: () => Promise<Record<string, unknown>>
  shedding: Shedding
  trustedProxies: string[]
}

/** Kubernetes must not kill or cut off who is only busy. */
const probes: ReadonlySet<string> = new Set(['/livez', '/readyz'])

/** Builds the gateway's HTTP server; it does not listen yet. */
export function createApp(options: AppOptions): FastifyInstance {
  const { log, ready, metrics, publicUrl, internal, shedding, trustedProxies } = options
  const app = createServer({ name: 'gateway', log, ready, metrics, serveMetrics: false, trustedProxies })
  // Bodies are bytes here: whose they are, and what they mean, is the services' to check.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const methodsOf = watchPaths(app)
  const { identify, admit } = createAdmission(options)
  const always = securityHeaders(publicUrl)

  app.decorateRequest('requestId', '')
  app.addHook('onRequest', async (request, reply) => {
    request.requestId = givenRequestId(request.headers) ?? request.traceId
    reply.headers(always).header('x-request-id', request.requestId)
    if (!probes.has(request.routeOptions.url ?? '')) shedding.admit(reply.raw)
    if (request.url.length > longestAddress)
      throw problem('uri_too_long', `An address may have ${longestAddress} characters.`)
    if (request.is404) await refuseAddress(request, reply)
  })

  /** No route matched: under `/api` who calls is settled first, so that strangers cannot explore it. */
  async function refuseAddress(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    const path = (request.url.split('?', 1)[0] ?? '').replace(/^https?:\/\/[^/]*/i, '')
    if (/^\/api(\/|$)/.test(path)) await identify(request, reply, true)
    const methods = methodsOf(path)
    if (methods.length > 0) throw problem('method_not_allowed', { headers: { allow: methods.join(', ') } })
    throw problem('route_not_found')
  }

  app.get('/', async () => ({
    service: 'frontdesk',
    openapi: `${publicUrl}/openapi.json`,
    asyncapi: `${publicUrl}/asyncapi.json`,
    token_endpoint: `${publicUrl}/oauth2/token`,
    authorization_server: `${publicUrl}/.well-known/oauth-authorization-server`,
    sites: `${publicUrl}/api/v1/sites`,
  }))
  tokenRoutes(app, options)
  forwardingRoutes(app, { ...options, admit })
  providerRoutes(app, internal)
  onboardingRoutes(app, internal)
  serveDocuments(app, publicUrl)
  return app
}

function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}
