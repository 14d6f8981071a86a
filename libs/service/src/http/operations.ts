import {
  internalOperations,
  operations,
  routePath,
  type InternalOperation,
  type InternalOperationId,
  type InternalOperationsOf,
  type Operation,
  type OperationId,
  type OperationsOf,
  type ServiceName,
} from '@frontdesk/contracts'
import type { Pool } from '@frontdesk/database'
import { problem } from '@frontdesk/problems'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { createAct, type Act } from '../audit/act.ts'
import { insertAuditEntry } from '../audit/store.ts'
import { recordRefusal } from '../audit/refusals.ts'
import { runOnce } from '../idempotency/run-once.ts'
import type { TokenVerifier, VerifiedInternalToken } from '../tokens/internal-tokens.ts'
import type { KeyRing } from '../encryption/key-ring.ts'
import type { InternalHandlers, OperationHandlers, UnvalidatedRequest } from './handlers.ts'
import { asProblem, headerOf, ofDigest, sendProblem } from './server.ts'
import { respelling } from './spelling.ts'

export interface ServeOptions<S extends ServiceName, Found = unknown> {
  service: S
  verify: TokenVerifier
  /** The database and the encryption keys for the Idempotency-Keys of this service. */
  idempotency: { pool: Pool; ring: KeyRing }
  handlers: OperationHandlers<OperationsOf<S>, Found>
  internalHandlers: InternalHandlers<InternalOperationsOf<S>>
  /** Finds what the request is about before its form is checked, so that 403 and 404 come before 400. */
  beforeValidation?: (request: UnvalidatedRequest) => Found | Promise<Found>
  /** Whether a stored reply may still be replayed; otherwise the operation runs again. Default: always. */
  isReplayable?: (id: OperationId, body: unknown, now: Date) => boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: VerifiedInternalToken | null
    act: Act | null
    found: unknown
  }
}

/**
 * Serves every operation of a service as the operations table has it: authentication, scope, site, validation,
 * idempotency, deadline. A missing handler does not compile; an extra one does not start.
 */
export function serveOperations<S extends ServiceName, Found>(
  app: FastifyInstance,
  options: ServeOptions<S, Found>,
): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('act', null)
  app.decorateRequest('found', null)
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      done(null, ofDigest(request, body))
    } catch (error) {
      done(error as Error)
    }
  })
  // A body that does not arrive meets no parser, which would compare it.
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined && request.signedDigest !== null) ofDigest(request, Buffer.alloc(0))
  })
  const own = Object.entries(operations).filter(([, operation]) => operation.service === options.service)
  const ownInternal = Object.entries(internalOperations).filter(
    ([, operation]) => operation.service === options.service,
  )
  const known = new Set([...own, ...ownInternal].map(([id]) => id))
  for (const id of [...Object.keys(options.handlers), ...Object.keys(options.internalHandlers)]) {
    if (!known.has(id)) throw new Error(`${options.service} has a handler for ${id}, which is not its operation`)
  }
  for (const [id, operation] of own) serveOne(app, id as OperationId, operation, options)
  for (const [id, operation] of ownInternal) serveInternal(app, id as InternalOperationId, operation, options)
}

/** Returns who sent a request, whose body must then be the one that was signed. Throws `unauthorized`. */
async function verified(request: FastifyRequest, verify: TokenVerifier): Promise<VerifiedInternalToken> {
  const { method, url, headers } = request.raw
  const caller = await verify({ method: method ?? '', url: url ?? '', headers })
  request.signedDigest = headerOf(request, 'content-digest') ?? ''
  return caller
}

type Result = { status: number; body: unknown; headers?: Record<string, string> }
type AnyHandler = (request: unknown) => Promise<Result>

function serveOne<S extends ServiceName, Found>(
  app: FastifyInstance,
  id: OperationId,
  operation: Operation,
  options: ServeOptions<S, Found>,
): void {
  const handler = (options.handlers as Partial<Record<string, AnyHandler>>)[id]
  const { pool } = options.idempotency
  const respell = respelling(operation)
  if (handler === undefined) throw new Error(`${options.service} has no handler for ${id}`)
  app.route({
    method: operation.method,
    url: routePath(operation.path),
    schema: {
      params: operation.params,
      ...(operation.query === undefined ? {} : { querystring: operation.query }),
      ...(operation.body === undefined ? {} : { body: operation.body }),
      response: operation.responses,
    },
    onRequest: async (request) => {
      const caller = await verified(request, options.verify)
      if (caller.service !== 'gateway') throw problem('forbidden')
      if (!caller.principal.scopes.includes(operation.scope)) throw problem('scope_missing')
      request.caller = caller
      request.told = told(id, caller.principal.id, caller.site?.slug)
      const { principal, site } = caller
      request.act = createAct({ operation: id, principal, site, headers: request.headers, traceId: request.traceId })
      const params = request.params as Record<string, string>
      if (operation.level === 'site' && params['SiteSlug'] !== site?.slug) throw problem('site_not_found')
      request.found = await options.beforeValidation?.({ id, principal, headers: request.headers, params })
    },
    preValidation: async (request) => {
      // Bytes are for internal operations only; no schema of ours describes them.
      if (Buffer.isBuffer(request.body) || !takes(operation, headerOf(request, 'content-type'))) {
        throw problem('media_type_unsupported', `Send ${contentTypesOf(operation).join(' or ')}.`)
      }
      if (operation.body === undefined && !isEmpty(request.body)) {
        throw problem('malformed_request', 'This operation takes no body.')
      }
      respell(request)
    },
    handler: async (request, reply) => {
      const { principal, site } = callerOf(request)
      const act = actOf(request)
      const run = (resourceId: string) =>
        handler({
          params: request.params,
          query: request.query,
          body: request.body,
          principal,
          site,
          headers: request.headers,
          found: request.found,
          traceparent: request.traceparent,
          log: request.log,
          act,
          resourceId,
        })
      const key = operation.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined
      const result =
        key === undefined
          ? await run(uuidv7())
          : await runOnce(
              {
                client: principal.id,
                operation: id,
                url: request.url,
                key,
                body: request.body,
                steering: [headerOf(request, 'x-practice-management-software') ?? ''],
                traceId: request.traceId,
              },
              {
                ...options.idempotency,
                isReplayable: (body) => options.isReplayable?.(id, body, new Date()) ?? true,
                run,
              },
            )
      // Nothing was changed, or nothing but read: the entry is stored before a secret leaves.
      if (operation.audited === true && !act.isRecorded) {
        const isReplayed = result.headers?.['idempotency-replayed'] !== undefined
        await insertAuditEntry(pool, act.entry(isReplayed ? 'Replayed' : 'Succeeded'))
      }
      if (operation.secret === true) reply.header('cache-control', 'no-store')
      if (result.headers !== undefined) reply.headers(result.headers)
      reply.code(result.status)
      if (result.status >= 400) reply.serializer(JSON.stringify)
      return reply.send(result.body)
    },
    ...(operation.audited === true && {
      errorHandler: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
        const refusal = asProblem(error)
        const stored = request.act && recordRefusal(pool, request.act, refusal, request.log)
        void Promise.resolve(stored).then(() => sendProblem(refusal, request, reply))
      },
    }),
  })
}

/** Whether there is no body, or a body without members. */
function isEmpty(body: unknown): boolean {
  return body === undefined || (typeof body === 'object' && body !== null && Object.keys(body).length === 0)
}

const contentTypesOf = (operation: Operation): readonly string[] => operation.contentTypes ?? ['application/json']

function takes(operation: Operation, contentType: string | undefined): boolean {
  if (contentType === undefined) return true
  return contentTypesOf(operation).includes(contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '')
}

function serveInternal<S extends ServiceName, Found>(
  app: FastifyInstance,
  id: InternalOperationId,
  operation: InternalOperation,
  options: ServeOptions<S, Found>,
): void {
  const handler = (options.internalHandlers as Partial<Record<string, (request: unknown) => Promise<unknown>>>)[id]
  if (handler === undefined) throw new Error(`${options.service} has no handler for ${id}`)
  app.route({
    method: operation.method,
    url: routePath(operation.path),
    schema: {
      params: operation.params,
      ...(operation.query === undefined ? {} : { querystring: operation.query }),
      ...(operation.body === undefined || operation.body === 'bytes' ? {} : { body: operation.body }),
      response: { 200: operation.response },
    },
    onRequest: async (request) => {
      const caller = await verified(request, options.verify)
      request.told = told(id, caller.service)
      if (!operation.callers.includes(caller.service)) throw problem('forbidden')
    },
    handler: (request: FastifyRequest, _reply: FastifyReply) =>
      handler({
        params: request.params,
        query: request.query,
        body: request.body,
        headers: request.headers,
        traceparent: request.traceparent,
        traceId: request.traceId,
        log: request.log,
      }),
  })
}

/** What the line of a request tells: its operation, who asks for it, and the site that it is about. */
function told(operation: string, client: string, site?: string): Record<string, string> {
  return site === undefined ? { operation, client } : { operation, client, site }
}

function callerOf(request: FastifyRequest): VerifiedInternalToken {
  if (request.caller === null) throw problem('unauthorized')
  return request.caller
}

function actOf(request: FastifyRequest): Act {
  if (request.act === null) throw problem('unauthorized')
  return request.act
}
