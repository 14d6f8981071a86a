import { operations, type Operation, type OperationId, operationUrl, routePath } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import { isConnectionError, wasNeverSent } from '@frontdesk/service/calls'
import type { InternalClaims } from '@frontdesk/service/tokens'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sites } from '../access/sites.ts'
import { faultOfAnswer } from './answers.ts'
import { forwardedHeaders, returnedHeaders } from './headers.ts'
import { checkMediaTypes } from './media-types.ts'
import type { SendUpstream } from './upstreams.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The principal and site of an operation's request. Set before the body is read. */
    claims: InternalClaims | null
  }
}

export interface ForwardingDeps {
  admit: (request: FastifyRequest, reply: FastifyReply, id: OperationId) => Promise<InternalClaims>
  send: SendUpstream
  sites: Sites
}

/** After these operations this replica forgets the site before it replies, so that the caller never sees the old state here. */
const changingSites: ReadonlySet<OperationId> = new Set<OperationId>(['deleteSite', 'changeSite', 'rotateSiteKey'])

/** Registers a route for every operation of the table. It forwards requests, bodies as bytes, to the service that owns it. */
export function forwardingRoutes(app: FastifyInstance, deps: ForwardingDeps): void {
  app.decorateRequest('claims', null)
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    // The gateway answers its own operations itself.
    if (operation.service === 'gateway') continue
    const changesSite = changingSites.has(id as OperationId)
    app.route({
      method: operation.method,
      url: routePath(operation.path),
      onRequest: async (request, reply) => {
        request.claims = await deps.admit(request, reply, id as OperationId)
      },
      handler: async (request, reply) => {
        try {
          return await forward(deps.send, operation, request, reply)
        } finally {
          // Also if the answer was lost: the service may have made the change.
          if (changesSite)
            deps.sites.drop((request.params as { SiteIdentifier: string }).SiteIdentifier.normalize('NFC'))
        }
      },
    })
  }
}

async function forward(
  send: SendUpstream,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, claims, traceparent, requestId, ip: address } = request
  if (claims === null) throw problem('unauthorized')
  const body = bodyOf(request)
  const { service, method, deadlineMs, mediaTypes } = operation
  const accept = checkMediaTypes(headers, body !== undefined, mediaTypes)
  const forwarded = {
    ...forwardedHeaders(headers, { traceparent, requestId, address, hasBody: body !== undefined }),
    // The service gets the one media type that was chosen here.
    ...(mediaTypes === undefined ? {} : { accept }),
  }
  const sentAt = performance.now()
  const answer = await send({
    service,
    claims,
    method,
    path: pathOf(operation, request),
    headers: forwarded,
    body,
    deadlineMs,
    // Once anything was sent, only a request that does no harm twice is repeated.
    mayRepeat: method === 'GET' || 'idempotency-key' in forwarded ? isConnectionError : wasNeverSent,
  }).finally(() => (request.upstreamMs = Math.round(performance.now() - sentAt)))
  const fault = faultOfAnswer(answer, service)
  if (fault !== undefined) throw fault
  return reply.code(answer.status).headers(returnedHeaders(answer.headers)).send(answer.body)
}

/** Returns the body; undefined if it is empty, whatever its content type. */
export function bodyOf({ body }: FastifyRequest): Buffer | undefined {
  return body instanceof Buffer && body.byteLength > 0 ? body : undefined
}

/**
 * Returns the path at the service, made of the parameters that matched here so that both read the same, with the query
 * exactly as the client sent it.
 */
function pathOf(operation: Operation, request: FastifyRequest): string {
  const path = operationUrl(operation.path, request.params as Record<string, string>)
  const query = request.url.indexOf('?')
  return query === -1 ? path : path + request.url.slice(query)
}
