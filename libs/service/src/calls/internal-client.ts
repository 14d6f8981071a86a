import {
  internalOperations,
  type InternalOperation,
  type InternalOperationId,
  type InternalParams,
  type InternalReply,
  type ServiceName,
  operationUrl,
} from '@frontdesk/contracts'
import { catalogue, isProblemDetails, problem, ProblemError, type ProblemCode } from '@frontdesk/problems'
import { Agent, request } from 'undici'
import { breakerDefaults, createBreaker, type Breaker } from './breaker.ts'
import type { Principal, TokenIssuer } from '../tokens/internal-tokens.ts'

export interface InternalClient extends AsyncDisposable {
  /**
   * Calls another service. Throws the problem it answered with, or `service_unavailable` where it cannot be reached
   * in time, at once where it hangs for all. Never retried here: the caller knows whether that is safe.
   */
  call<Id extends InternalOperationId>(
    id: Id,
    params: InternalParams<Id>,
    options?: { traceparent?: string; bytes?: Buffer; headers?: Record<string, string> },
  ): Promise<InternalReply<Id>>
}

/** Opens the client for calls to our own services, as the service of `issuer`, at the given base URLs. */
export function openInternalClient(issuer: TokenIssuer, urls: Partial<Record<ServiceName, string>>): InternalClient {
  const agent = new Agent({ connect: { timeout: 1_000 }, connections: 64, keepAliveTimeout: 60_000 })
  const principal: Principal = { id: `service:${issuer.service}`, scopes: [], systems: [] }
  const tokens = new Map<ServiceName, { token: Promise<string>; until: number }>()
  const breakers = new Map<ServiceName, Breaker>()

  function tokenFor(audience: ServiceName): Promise<string> {
    const known = tokens.get(audience)
    if (known !== undefined && known.until > Date.now()) return known.token
    const token = issuer.mint(audience, { principal })
    tokens.set(audience, { token, until: Date.now() + 30_000 })
    return token
  }

  function breakerOf(service: ServiceName): Breaker {
    const breaker = breakers.get(service) ?? createBreaker(breakerDefaults, () => performance.now())
    breakers.set(service, breaker)
    return breaker
  }

  return {
    async call(id, params, { traceparent, bytes, headers = {} } = {}) {
      const operation: InternalOperation = internalOperations[id]
      const base = urls[operation.service]
      if (base === undefined) throw new Error(`no URL of ${operation.service}`)
      const token = await tokenFor(operation.service)
      const breaker = breakerOf(operation.service)
      const waitMs = breaker.admit()
      if (waitMs > 0) throw problem('service_unavailable', { retryAfter: Math.ceil(waitMs / 1000) })
      try {
        const response = await request(`${base}${operationUrl(operation.path, params as Record<string, string>)}`, {
          method: operation.method,
          dispatcher: agent,
          signal: AbortSignal.timeout(operation.deadlineMs),
          headers: {
            authorization: `Bearer ${token}`,
            ...(traceparent === undefined ? {} : { traceparent }),
            ...(bytes === undefined ? {} : { 'content-type': 'application/octet-stream' }),
            ...headers,
          },
          ...(bytes === undefined ? {} : { body: bytes }),
        })
        const text = await response.body.text()
        breaker.answered()
        const body: unknown = text === '' ? undefined : JSON.parse(text)
        if (response.statusCode < 300) return body as InternalReply<typeof id>
        throw answered(operation.service, response.statusCode, body)
      } catch (error) {
        if (error instanceof ProblemError) throw error
        if (isHanging(error)) breaker.failed()
        else breaker.answered()
        throw problem('service_unavailable', { retryAfter: 1, cause: error })
      }
    },
    async [Symbol.asyncDispose]() {
      await agent.close()
    },
  }
}

/** Whether a call has cost time for nothing. What fails at once costs nobody any, and is over when the service is back. */
function isHanging(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'TimeoutError' || ('code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT')
}

/** The problem another service answered with, as our own; what is not one of ours is `upstream_failed`. */
function answered(service: ServiceName, status: number, body: unknown): Error {
  if (isProblemDetails(body) && body.code in catalogue && status < 500) {
    return problem(body.code as ProblemCode, {
      ...(body.detail === undefined ? {} : { detail: body.detail }),
      ...(body.errors === undefined ? {} : { errors: body.errors }),
    })
  }
  if (status === 503) return problem('service_unavailable', { retryAfter: 1 })
  return problem('upstream_failed', { cause: new Error(`${service} answered ${status}`) })
}
