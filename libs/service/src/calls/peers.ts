import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceName } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import type { Pool } from 'undici'
import type { InternalClaims, TokenIssuer } from '../tokens/internal-tokens.ts'
import { breakerDefaults, createBreaker, type Breaker } from './breaker.ts'
import { exchange, isHanging, openPool, type Answer, type ExchangeRequest } from './exchange.ts'
import { createTokenCache } from './token-cache.ts'

export interface PeerRequest extends ExchangeRequest {
  service: ServiceName
  /** The claims of the internal token that is sent as its `authorization`. */
  claims: InternalClaims
  /** Milliseconds until the answer must be complete, a repetition included. */
  deadlineMs: number
  /** Whether to send the request once more after this error. Default: never. */
  mayRepeat?: (error: unknown) => boolean
}

/** The services that this one calls. Each has one connection pool, one breaker and one token cache (docs/decisions/007). */
export interface Peers extends AsyncDisposable {
  /** The calling service. */
  readonly self: ServiceName
  /**
   * Sends a request and returns the answer, whatever its status. Throws `service_unavailable` at once while the breaker
   * is open, DeadlinePassed, and undici's errors.
   */
  send(request: PeerRequest): Promise<Answer>
  breakerStates(): [service: ServiceName, state: Breaker['state']][]
}

/** Opens the way from the issuer's service to the services at these base URLs. The first request makes the first connection. */
export function openPeers(issuer: TokenIssuer, urls: Partial<Record<ServiceName, string>>): Peers {
  const peers = new Map(
    (Object.entries(urls) as [ServiceName, string][]).map(([service, url]) => {
      const breaker = createBreaker(breakerDefaults, () => performance.now())
      return [service, { pool: openPool(url), breaker, tokenFor: createTokenCache(issuer, service) }]
    }),
  )

  return {
    self: issuer.service,
    async send({ service, claims, method, path, headers, body, deadlineMs, mayRepeat }) {
      const peer = peers.get(service)
      if (peer === undefined) throw problem('internal_error', { cause: new Error(`no URL of ${service}`) })
      const { pool, breaker, tokenFor } = peer
      const authorization = `Bearer ${await tokenFor(claims)}`
      const waitMs = breaker.admit()
      if (waitMs > 0) throw problem('service_unavailable', { retryAfter: Math.ceil(waitMs / 1000) })
      try {
        const request = { method, path, headers: { ...headers, authorization }, body }
        const answer = await attempt(pool, request, deadlineMs, mayRepeat)
        breaker.answered()
        return answer
      } catch (error) {
        if (isHanging(error)) breaker.failed()
        else breaker.answered()
        throw error
      }
    },
    breakerStates: () => [...peers].map(([service, { breaker }]) => [service, breaker.state]),
    async [Symbol.asyncDispose]() {
      await Promise.all([...peers.values()].map(({ pool }) => pool.destroy()))
    },
  }
}

async function attempt(
  pool: Pool,
  request: ExchangeRequest,
  deadlineMs: number,
  mayRepeat: PeerRequest['mayRepeat'],
): Promise<Answer> {
  const began = performance.now()
  try {
    return await exchange(pool, request, deadlineMs)
  } catch (error) {
    if (mayRepeat?.(error) !== true) throw error
  }
  // Once, after a moment: another replica, or the same one on another connection, may answer.
  await wait(20 + Math.random() * 30)
  return exchange(pool, request, deadlineMs - (performance.now() - began))
}
