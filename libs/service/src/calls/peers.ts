import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceName } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import type { Pool } from 'undici'
import type { InternalClaims, TokenIssuer } from '../tokens/internal-tokens.ts'
import type { InternalTls } from '../tls/internal-tls.ts'
import { breakerDefaults, createBreaker, type Breaker } from './breaker.ts'
import { exchange, isHanging, openPool, wasNeverSent, type Answer, type ExchangeRequest } from './exchange.ts'
import { createTokenCache } from './token-cache.ts'

export interface PeerRequest extends ExchangeRequest {
  service: ServiceName
  /** The claims of the internal token that is sent as its `authorization`. */
  claims: InternalClaims
  /** Milliseconds until the answer must be complete, a repetition included. */
  deadlineMs: number
  /**
   * Whether to send the request once more after this error. Default: never. A request that was never sent is repeated in any
   * case, for up to 2.5 s.
   */
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

/**
 * Opens the way from the issuer's service to the services at these base URLs. The first request makes the first connection. Throws if
 * there are certificates and an address that would not use them.
 */
export function openPeers(
  issuer: TokenIssuer,
  urls: Partial<Record<ServiceName, string>>,
  options: { connectionAgeMs?: number; tls?: InternalTls | undefined } = {},
): Peers {
  const { tls, ...more } = options
  for (const [service, url] of Object.entries(urls))
    if (tls !== undefined && !url.startsWith('https://'))
      throw new Error(`the address of ${service} must begin with https://, since INTERNAL_TLS is mutual`)
  const peers = new Map(
    (Object.entries(urls) as [ServiceName, string][]).map(([service, url]) => {
      const breaker = createBreaker(breakerDefaults, () => performance.now())
      return [
        service,
        {
          send: createSend(openPool(url, { ...more, ...(tls && { tls }) })),
          breaker,
          tokenFor: createTokenCache(issuer, service),
        },
      ]
    }),
  )

  return {
    self: issuer.service,
    async send({ service, claims, method, path, headers, body, deadlineMs, mayRepeat }) {
      const peer = peers.get(service)
      if (peer === undefined) throw problem('internal_error', { cause: new Error(`no URL of ${service}`) })
      const { send, breaker, tokenFor } = peer
      const authorization = `Bearer ${await tokenFor(claims)}`
      const waitMs = breaker.admit()
      if (waitMs > 0) throw problem('service_unavailable', { retryAfter: Math.ceil(waitMs / 1000) })
      try {
        const request = { method, path, headers: { ...headers, authorization }, body }
        // Signed anew for each time that it is sent: a service takes no signature twice.
        const sign = () => ({ ...request, headers: issuer.sign(service, request) })
        const answer = await send.request(sign, deadlineMs, mayRepeat)
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
      await Promise.all([...peers.values()].map(({ send }) => send.close()))
    },
  }
}

/**
 * How long, in milliseconds, a request that was never sent is tried on new connections. Behind one address there may be several
 * replicas, and some balancers keep sending to one that has gone, a Kubernetes Service for about two seconds.
 */
const tryConnectingMs = 2_500

interface Send {
  request(sign: () => ExchangeRequest, deadlineMs: number, mayRepeat: PeerRequest['mayRepeat']): Promise<Answer>
  close(): Promise<void>
}

function createSend(pool: Pool): Send {
  // While every connection fails for longer than that, there is no replica: then requests fail at once.
  let goneSince = Infinity
  let goneAt = -Infinity

  function isWorthConnecting(began: number): boolean {
    const now = performance.now()
    if (now - goneAt > tryConnectingMs) goneSince = now
    goneAt = now
    return now - goneSince < tryConnectingMs && now - began < tryConnectingMs
  }

  return {
    close: () => pool.destroy(),
    async request(sign, deadlineMs, mayRepeat) {
      const began = performance.now()
      let mayRepeatOnce = mayRepeat
      for (;;) {
        try {
          const answer = await exchange(pool, sign(), Math.max(1, deadlineMs - (performance.now() - began)))
          goneAt = -Infinity
          return answer
        } catch (error) {
          if (wasNeverSent(error)) {
            if (!isWorthConnecting(began)) throw error
          } else {
            goneAt = -Infinity
            if (mayRepeatOnce?.(error) !== true) throw error
            // Once, after a moment: another replica, or the same one on another connection, may answer.
            mayRepeatOnce = undefined
          }
        }
        await wait(20 + Math.random() * 30)
      }
    },
  }
}
