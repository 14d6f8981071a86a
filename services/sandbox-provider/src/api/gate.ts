import { timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Pool } from '@frontdesk/database'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Calls } from '../calls/calls.ts'
import type { Account } from '../db.ts'
import type { Faults } from '../faults/faults.ts'
import { newId } from '../ids.ts'
import { ApiError, accountInvalid, errorBody, invalidRequest } from './errors.ts'
import { decodeForm, FormError, type FormNode } from './form.ts'
import { type ApiReply, keyedRequest, type KeyedRequest, keyInUse } from './idempotency.ts'
import { findAccountAndReply, storeReply } from './store.ts'
import { type NoAnswer, underFaults, unknownError } from './under-faults.ts'

/** The API version that the sandbox implements; `stripe@23.1.0` pins it. */
export const apiVersion = '2026-10-28.endive'

/** One authenticated API request. */
export interface ApiCall {
  /** the connected account that `Stripe-Account` names; undefined for the platform itself */
  account: Account | undefined
  /** the decoded body of a POST, or the decoded query of another method */
  form: FormNode
  /** parameters in the path */
  path: Record<string, string>
  /** set on a POST with a key: it must store its reply in the transaction of its effect */
  keyed: KeyedRequest | undefined
  now: Date
}

export type Operation = (call: ApiCall) => Promise<ApiReply>

export interface GateDeps {
  pool: Pool
  /** each of them may call */
  secretKeys: () => readonly string[]
  faults: Faults
  calls: Calls
  now: () => Date
}

/** Registers operations of the API. Paths are below `/v1`. */
export interface Api {
  get(path: string, operation: Operation): void
  post(path: string, operation: Operation): void
  delete(path: string, operation: Operation): void
}

/** Returns a 200 with this object. */
export function ok(body: object): ApiReply {
  return { status: 200, text: JSON.stringify(body) }
}

/**
 * Makes a Fastify scope speak Stripe's protocol: secret key, `Stripe-Account`, forms, `Idempotency-Key`, `Request-Id` and
 * errors, checked in Stripe's order.
 */
export function openGate(scope: FastifyInstance, options: GateDeps): Api {
  const inFlight = new Set<string>()
  const hanging = new Set<Socket>()
  // A client that waits for an answer that never comes must not keep the process from stopping.
  scope.addHook('preClose', async () => hanging.forEach((socket) => socket.destroy()))
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  scope.addHook('onRequest', async (request, reply) => {
    options.calls.note()
    reply.header('request-id', newId('req_', 14)).header('stripe-version', apiVersion)
    authenticate(request, options.secretKeys())
    checkVersion(request)
    if (/%00/.test(request.url)) throw invalidRequest('Invalid request: the address contains a NUL character.')
  })
  scope.setErrorHandler((error, request, reply) => {
    // A fault may come in place of a stored reply. It is not stored itself.
    sendError(asApiError(error, request), reply.removeHeader('idempotent-replayed'))
  })
  scope.setNotFoundHandler((request, reply) => sendError(unknownUrl(request), reply))

  async function read(operation: Operation, request: FastifyRequest): Promise<ApiReply> {
    const form = decodeForm(request.url.split('?', 2)[1] ?? '')
    const accountId = header(request, 'stripe-account')
    const { account } = await findAccountAndReply(options.pool, accountId, undefined)
    return operation(callOf(request, form, reachable(account, accountId)))
  }

  async function write(operation: Operation, request: FastifyRequest, reply: FastifyReply): Promise<ApiReply> {
    const form = decodeForm(typeof request.body === 'string' ? request.body : '')
    const accountId = header(request, 'stripe-account')
    const endpoint = request.url.split('?', 1)[0] ?? ''
    const scope = accountId ?? 'platform'
    const keyed = keyedRequest(header(request, 'idempotency-key'), { scope, endpoint, form })
    if (keyed !== undefined) reply.header('idempotency-key', keyed.key)
    return exclusively(keyed, async () => {
      const { account, reply: stored } = await findAccountAndReply(options.pool, accountId, keyed)
      const call = callOf(request, form, reachable(account, accountId))
      if (stored === undefined) return keyed === undefined ? operation(call) : first(operation, { ...call, keyed })
      reply.header('idempotent-replayed', 'true')
      return stored
    })
  }

  /** Performs the first request with its key. A saved error stands in the record instead of the operation's reply. */
  async function first(operation: Operation, call: ApiCall & { keyed: KeyedRequest }): Promise<ApiReply> {
    const { faults, pool } = options
    const error = unknownError()
    const saved: ApiReply = { status: error.status, text: JSON.stringify(errorBody(error)) }
    if (faults.api('savedErrorBefore') !== undefined) {
      await storeReply(pool, call.keyed, saved)
      return saved
    }
    if (faults.api('savedErrorAfter') === undefined) return operation(call)
    await operation({ ...call, keyed: { ...call.keyed, keeps: saved } })
    return saved
  }

  function callOf(request: FastifyRequest, form: FormNode, account: Account | undefined): ApiCall {
    const path = request.params as Record<string, string>
    return { account, form, path, keyed: undefined, now: options.now() }
  }

  /** Performs a request while no other request with its key is running. Throws the 409 otherwise. */
  async function exclusively(keyed: KeyedRequest | undefined, perform: () => Promise<ApiReply>): Promise<ApiReply> {
    if (keyed === undefined) return perform()
    const claim = `${keyed.scope} ${keyed.key}`
    if (inFlight.has(claim)) throw keyInUse(keyed.key)
    inFlight.add(claim)
    try {
      return await perform()
    } finally {
      inFlight.delete(claim)
    }
  }

  async function answer(reply: FastifyReply, perform: () => Promise<ApiReply>): Promise<FastifyReply> {
    const result = await underFaults(options.faults, perform)
    return result === 'hang' || result === 'reset' ? withhold(reply, result) : send(reply, result)
  }

  function withhold(reply: FastifyReply, how: NoAnswer): FastifyReply {
    reply.hijack()
    const { socket } = reply.raw
    if (how === 'reset') socket?.resetAndDestroy()
    else if (socket !== null) hanging.add(socket.once('close', () => hanging.delete(socket)))
    return reply
  }

  const reads = (operation: Operation) => (request: FastifyRequest, reply: FastifyReply) =>
    answer(reply, () => read(operation, request))
  const writes = (operation: Operation) => (request: FastifyRequest, reply: FastifyReply) =>
    answer(reply, () => write(operation, request, reply))
  return {
    get: (path, operation) => void scope.get(path, reads(operation)),
    post: (path, operation) => void scope.post(path, writes(operation)),
    // Stripe ignores the Idempotency-Key of a DELETE: a second one is refused at worst.
    delete: (path, operation) => void scope.delete(path, reads(operation)),
  }
}

function reachable(account: Account | undefined, accountId: string | undefined): Account | undefined {
  if (accountId === undefined) return undefined
  if (account === undefined || account.deauthorizedAt !== null) throw accountInvalid(accountId)
  return account
}

function send(reply: FastifyReply, { status, text }: ApiReply): FastifyReply {
  return reply.code(status).type('application/json').send(text)
}

function sendError(error: ApiError, reply: FastifyReply): FastifyReply {
  return reply
    .code(error.status)
    .headers(error.headers)
    .type('application/json')
    .send(JSON.stringify(errorBody(error)))
}

function authenticate(request: FastifyRequest, secretKeys: readonly string[]): void {
  const given = credentials(header(request, 'authorization'))
  if (given === undefined) {
    throw new ApiError(
      'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth ' +
        "(e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
      { status: 401, headers: { 'www-authenticate': 'Bearer realm="Stripe"' } },
    )
  }
  const presented = Buffer.from(given)
  const isOne = (secretKey: string) => {
    const expected = Buffer.from(secretKey)
    return expected.length === presented.length && timingSafeEqual(expected, presented)
  }
  if (!secretKeys.some(isOne)) {
    throw new ApiError(`Invalid API Key provided: ${given.slice(0, 8)}****${given.slice(-4)}`, {
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="Stripe"' },
    })
  }
}

/** Returns the secret key from Bearer or from the user name of Basic; Stripe accepts both. */
function credentials(authorization: string | undefined): string | undefined {
  const [scheme = '', value = ''] = (authorization ?? '').split(' ', 2)
  if (value === '') return undefined
  if (scheme.toLowerCase() === 'bearer') return value
  if (scheme.toLowerCase() !== 'basic') return undefined
  return Buffer.from(value, 'base64').toString('utf8').split(':', 1)[0]
}

function checkVersion(request: FastifyRequest): void {
  const version = header(request, 'stripe-version')
  if (version !== undefined && !/^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/.test(version)) {
    throw invalidRequest(`Invalid Stripe API version: ${version}`)
  }
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function unknownUrl(request: FastifyRequest): ApiError {
  const path = request.url.split('?', 1)[0]
  return new ApiError(
    `Unrecognized request URL (${request.method}: ${path}). The sandbox serves the part of Stripe's API that ` +
      'Frontdesk calls.',
    { status: 404 },
  )
}

function asApiError(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof FormError) return invalidRequest(error.message, error.path)
  const code = (error as { code?: unknown }).code
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError('Request entity too large.', { status: 413 })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return invalidRequest('Invalid request: the content type must be application/x-www-form-urlencoded.')
  }
  request.log.error({ err: error }, 'an API request failed')
  return new ApiError('An unknown error occurred in the sandbox.', { status: 500, type: 'api_error' })
}
