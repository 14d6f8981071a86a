import { problem } from '@frontdesk/problems'
import type { InternalClient } from '@frontdesk/service/calls'
import { createServer, longestAddress, type ServerOptions } from '@frontdesk/service/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { createAdmission, type AdmissionDeps } from './access/admission.ts'
import { requestFacts } from './access/audit-lines.ts'
import { auditRoutes } from './audit/routes.ts'
import { serveDocuments } from './documents/routes.ts'
import type { Site } from './documents/site.ts'
import { givenRequestId } from './forwarding/headers.ts'
import { watchPaths } from './forwarding/known-paths.ts'
import { forwardingRoutes, type ForwardingDeps } from './forwarding/routes.ts'
import { landingPageRoutes } from './landing-pages/routes.ts'
import type { Arrivals } from './overload/arrivals.ts'
import type { Shedding } from './overload/shedding.ts'
import { isProviderWebhook, providerRoutes } from './providers/routes.ts'
import { tokenEndpoint, tokenRoutes, type TokenRoutesDeps } from './tokens/routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's `x-request-id`, else the trace id. Sent back and to the service. */
    requestId: string
    /** How long the service took for its answer, in whole milliseconds; null if none was asked. */
    upstreamMs: number | null
    /** Set while the body of a request that has proved nothing is on its way. */
    bodyArrived: (() => void) | null
  }
}

export interface AppDeps extends AdmissionDeps, TokenRoutesDeps, Omit<ForwardingDeps, 'admit'> {
  internal: InternalClient
  log: Logger
  metricsRegistry: Registry
  ready: ServerOptions['ready']
  stopping: AbortSignal
  shedding: Shedding
  arrivals: Arrivals
  trustedProxies: string[]
  site: Site
}

/** Never refused: Kubernetes must not kill or cut off a busy replica. */
const probes: ReadonlySet<string> = new Set(['/livez', '/readyz'])

/** Builds the gateway's HTTP server; it does not listen yet. */
export function createApp(deps: AppDeps): FastifyInstance {
  const { log, ready, stopping, metricsRegistry, publicUrl, internal, shedding, arrivals, limits, trustedProxies } =
    deps
  const app = createServer({
    name: 'gateway',
    log,
    ready,
    stopping,
    metrics: metricsRegistry,
    serveMetrics: false,
    trustedProxies,
    requestFacts: (request) => ({
      ...requestFacts(request),
      requestId: request.requestId,
      ...(request.upstreamMs === null ? {} : { upstreamMs: request.upstreamMs }),
    }),
  })
  // The gateway forwards bodies as bytes; the services validate them.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const methodsOf = watchPaths(app)
  const { identify, admit } = createAdmission(deps)
  const always = securityHeaders(publicUrl)

  app.decorateRequest('requestId', '')
  app.decorateRequest('upstreamMs', null)
  app.decorateRequest('bodyArrived', null)
  app.decorateRequest('apiCaller', null)
  app.decorateRequest('operation', null)
  app.addHook('onRequest', async (request, reply) => {
    request.requestId = givenRequestId(request.headers) ?? request.traceId
    reply.headers(always).header('x-request-id', request.requestId)
    const route = request.routeOptions.url ?? ''
    // Their body proves who they are. Until it has arrived they take nobody's place.
    if (provesByBody(request.method, route)) request.bodyArrived = arrivals.admit(reply.raw, request.ip)
    else if (!probes.has(route)) shedding.admit(reply.raw, 'clients')
    if (hasTwoAuthorizations(request.raw.rawHeaders))
      throw problem('malformed_request', 'There is more than one Authorization header.')
    if (request.url.length > longestAddress)
      throw problem('uri_too_long', `An address may have ${longestAddress} characters.`)
    if (request.is404) await refuseAddress(request, reply)
  })

  app.addHook('preValidation', async ({ bodyArrived, routeOptions }, reply) => {
    if (bodyArrived === null) return
    bodyArrived()
    shedding.admit(reply.raw, isProviderWebhook(routeOptions.url ?? '') ? 'providers' : 'clients')
  })

  /** Answers a request that matched no route. Under `/api` it authenticates first, so that strangers cannot explore it. */
  async function refuseAddress(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    const path = (request.url.split('?', 1)[0] ?? '').replace(/^https?:\/\/[^/]*/i, '')
    if (/^\/api(\/|$)/.test(path)) await identify(request, reply, true)
    const methods = methodsOf(path)
    if (methods.length > 0) throw problem('method_not_allowed', { headers: { allow: methods.join(', ') } })
    throw problem('route_not_found')
  }

  app.get('/', async () => ({
    service: 'frontdesk',
    documentation: `${publicUrl}/docs/`,
    openapi: `${publicUrl}/openapi.json`,
    asyncapi: `${publicUrl}/asyncapi.json`,
    token_endpoint: `${publicUrl}/oauth2/token`,
    authorization_server: `${publicUrl}/.well-known/oauth-authorization-server`,
    sites: `${publicUrl}/api/v1/sites`,
  }))
  tokenRoutes(app, deps)
  forwardingRoutes(app, { ...deps, admit })
  auditRoutes(app, { admit, internal })
  providerRoutes(app, internal, limits)
  landingPageRoutes(app, deps)
  serveDocuments(app, publicUrl, deps.site)
  return app
}

/** Node keeps the first one and drops the others, while a proxy in front may look at the last. */
function hasTwoAuthorizations(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 13 && name.toLowerCase() === 'authorization') count += 1
  }
  return count > 1
}

const provesByBody = (method: string, route: string): boolean =>
  method === 'POST' && (route === tokenEndpoint || isProviderWebhook(route))

function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}
