import {
  operations,
  type Operation,
  type OperationId,
  type ServiceName,
  type SiteAccess,
  operationUrl,
  routePath,
} from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import type { Principal } from '@frontdesk/service/tokens'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Admission } from '../access/admission.ts'
import type { Sites } from '../access/sites.ts'
import { faultOfAnswer } from './answers.ts'
import { forwardedHeaders, returnedHeaders } from './headers.ts'
import { checkMediaTypes } from './media-types.ts'
import type { Upstreams } from './upstreams.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read, on the routes of operations. */
    admission: Admission | null
  }
}

export interface ForwardingOptions {
  admit: (request: FastifyRequest, reply: FastifyReply, operation: Operation) => Promise<Admission>
  tokenFor: (principal: Principal, site: SiteAccess | undefined, service: ServiceName) => Promise<string>
  upstreams: Upstreams
  sites: Sites
}

/** After these this copy forgets the site before it replies, so that its caller never meets the old state here. */
const changingSites: ReadonlySet<OperationId> = new Set<OperationId>(['deleteSite', 'changeSite', 'rotateSiteKey'])

/** A route for every operation of the table, to the service that owns it; bodies go through as bytes. */
export function forwardingRoutes(app: FastifyInstance, options: ForwardingOptions): void {
  app.decorateRequest('admission', null)
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    const changesSite = changingSites.has(id as OperationId)
    app.route({
      method: operation.method,
      url: routePath(operation.path),
      onRequest: async (request, reply) => {
        request.admission = await options.admit(request, reply, operation)
      },
      handler: async (request, reply) => {
        try {
          return await forward(options, operation, request, reply)
        } finally {
          // Also when the answer was lost: the change may have happened.
          if (changesSite) options.sites.drop((request.params as { SiteIdentifier: string }).SiteIdentifier)
        }
      },
    })
  }
}

async function forward(
  { tokenFor, upstreams }: ForwardingOptions,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, admission, traceparent } = request
  if (admission === null) throw problem('unauthorized')
  const body = bodyOf(request)
  checkMediaTypes(headers, body !== undefined)
  const { service, method, deadlineMs } = operation
  const token = await tokenFor(admission.principal, admission.site, service)
  const forwarded = forwardedHeaders(headers, {
    traceparent,
    requestId: request.requestId,
    hasBody: body !== undefined,
  })
  forwarded['authorization'] = `Bearer ${token}`
  const answer = await upstreams.send({
    service,
    method,
    path: pathOf(operation, request),
    headers: forwarded,
    body,
    deadlineMs,
    repeatable: method === 'GET' || 'idempotency-key' in forwarded,
  })
  const fault = faultOfAnswer(answer, service)
  if (fault !== undefined) throw fault
  return reply.code(answer.status).headers(returnedHeaders(answer.headers)).send(answer.body)
}

/** An empty body is none, whatever its content type says. */
function bodyOf({ body }: FastifyRequest): Buffer | undefined {
  return body instanceof Buffer && body.byteLength > 0 ? body : undefined
}

/** The address at the service: made of what was matched here, so that both read the same parameters; the query as it came. */
function pathOf(operation: Operation, request: FastifyRequest): string {
  const path = operationUrl(operation.path, request.params as Record<string, string>)
  const query = request.url.indexOf('?')
  return query === -1 ? path : path + request.url.slice(query)
}
