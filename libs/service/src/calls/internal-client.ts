import {
  internalOperations,
  type InternalOperation,
  type InternalOperationId,
  type InternalParams,
  type InternalQuery,
  type InternalReply,
  type ServiceName,
  operationUrl,
} from '@frontdesk/contracts'
import { catalogue, isProblemDetails, problem, ProblemError, type ProblemCode } from '@frontdesk/problems'
import type { InternalClaims, TokenIssuer } from '../tokens/internal-tokens.ts'
import type { InternalTls } from '../tls/internal-tls.ts'
import { openPeers, type Peers } from './peers.ts'

export interface InternalClient extends AsyncDisposable {
  /**
   * Calls an internal operation of another service. Throws the problem that the service answered with, or
   * `service_unavailable` if it did not answer in time or its breaker is open. Never repeats a call: only the caller knows
   * whether that is safe.
   */
  call<Id extends InternalOperationId>(
    id: Id,
    params: InternalParams<Id>,
    options?: {
      traceparent?: string
      query?: InternalQuery<Id>
      bytes?: Buffer
      headers?: Record<string, string>
    },
  ): Promise<InternalReply<Id>>
}

/** Opens a client that calls the services at these base URLs as the issuer's service. */
export function openInternalClient(
  issuer: TokenIssuer,
  urls: Partial<Record<ServiceName, string>>,
  options: { tls?: InternalTls | undefined } = {},
): InternalClient {
  return createInternalClient(openPeers(issuer, urls, options))
}

/** Makes a client over open peers. Its disposal closes them. */
export function createInternalClient(peers: Peers): InternalClient {
  const claims: InternalClaims = {
    principal: { id: `service:${peers.self}`, scopes: [], practiceManagementSystems: [] },
  }

  return {
    async call(id, params, { traceparent, query, bytes, headers = {} } = {}) {
      const { service, method, path, deadlineMs }: InternalOperation = internalOperations[id]
      try {
        const answer = await peers.send({
          service,
          claims,
          method,
          path: operationUrl(path, params as Record<string, string>) + queryOf(query ?? {}),
          headers: {
            ...(traceparent === undefined ? {} : { traceparent }),
            ...(bytes === undefined ? {} : { 'content-type': 'application/octet-stream' }),
            ...headers,
          },
          body: bytes,
          deadlineMs,
        })
        const text = answer.body.toString('utf8')
        const body: unknown = text === '' ? undefined : JSON.parse(text)
        if (answer.status < 300) return body as InternalReply<typeof id>
        throw refusal(service, answer.status, body)
      } catch (error) {
        throw error instanceof ProblemError ? error : problem('service_unavailable', { retryAfter: 1, cause: error })
      }
    },
    [Symbol.asyncDispose]: () => peers[Symbol.asyncDispose](),
  }
}

/** Returns a query with its question mark; nothing for an empty one. */
function queryOf(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
}

/**
 * Returns the problem that a service answered with as our own; `upstream_failed` if it is not in our catalogue, or refuses our
 * token.
 */
function refusal(service: ServiceName, status: number, body: unknown): ProblemError {
  if (isProblemDetails(body) && body.code in catalogue && status < 500 && status !== 401) {
    return problem(body.code as ProblemCode, {
      ...(body.detail === undefined ? {} : { detail: body.detail }),
      ...(body.errors === undefined ? {} : { errors: body.errors }),
    })
  }
  if (status === 503) return problem('service_unavailable', { retryAfter: 1 })
  const detail = isProblemDetails(body) && body.detail !== undefined ? `: ${body.detail}` : ''
  return problem('upstream_failed', { cause: new Error(`${service} answered ${status}${detail}`) })
}
