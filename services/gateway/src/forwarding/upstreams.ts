import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceName } from '@frontdesk/contracts'
import { problem, type ProblemError } from '@frontdesk/problems'
import { breakerDefaults, createBreaker } from '@frontdesk/service/calls'
import { errors, type Pool } from 'undici'
import { overloaded } from '../overload/shedding.ts'
import type { Telemetry } from '../telemetry.ts'
import {
  DeadlinePassed,
  exchange,
  isConnectionError,
  isHanging,
  openPool,
  wasNeverSent,
  type ExchangeRequest,
  type UpstreamAnswer,
} from './exchange.ts'

export interface UpstreamRequest extends ExchangeRequest {
  service: ServiceName
  /** Milliseconds for all of it. */
  deadlineMs: number
  /** Whether doing it twice does no harm. */
  repeatable: boolean
}

/** The services behind the gateway, each with connections of its own, so that one that hangs holds up no other. */
export interface Upstreams extends AsyncDisposable {
  /**
   * Sends a request. Throws `service_unavailable` or `deadline_exceeded` where there is no answer; at once while the
   * service hangs for all, and `overloaded` where as many as may are under way to it.
   */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>
}

export interface UpstreamsOptions {
  urls: Partial<Record<ServiceName, string>>
  /** Requests under way to one service at a time: what hangs in one leaves room for the others. */
  maxInFlight: number
  telemetry: Telemetry
}

/** Opens the connections to the services at these base URLs; none is made before it is needed. */
export function openUpstreams({ urls, maxInFlight, telemetry }: UpstreamsOptions): Upstreams {
  const upstreams = new Map(
    Object.entries(urls).map(([service, url]) => {
      const breaker = createBreaker(breakerDefaults, () => performance.now())
      return [service, { pool: openPool(url), breaker, inFlight: 0 }]
    }),
  )
  telemetry.breakers(() => [...upstreams].map(([service, { breaker }]) => [service, breaker.state !== 'closed']))

  async function send(request: UpstreamRequest): Promise<UpstreamAnswer> {
    const { service } = request
    const upstream = upstreams.get(service)
    if (upstream === undefined) throw new Error(`no URL of ${service}`)
    if (upstream.inFlight >= maxInFlight) {
      telemetry.shed.inc({ reason: 'service' })
      throw overloaded()
    }
    const { pool, breaker } = upstream
    const waitMs = breaker.admit()
    if (waitMs > 0) {
      telemetry.upstreamFailures.inc({ service, reason: 'breaker' })
      throw problem('service_unavailable', { retryAfter: Math.ceil(waitMs / 1000) })
    }
    upstream.inFlight += 1
    try {
      const answer = await attempt(pool, request)
      breaker.answered()
      return answer
    } catch (error) {
      if (isHanging(error)) breaker.failed()
      else breaker.answered()
      throw failure(error, service)
    } finally {
      upstream.inFlight -= 1
    }
  }

  function failure(error: unknown, service: ServiceName): ProblemError {
    const isLate = error instanceof DeadlinePassed
    const reason = isLate ? 'deadline' : isConnectionError(error) ? 'connection' : 'other'
    telemetry.upstreamFailures.inc({ service, reason })
    if (isLate) return problem('deadline_exceeded', { cause: error })
    if (isConnectionError(error)) return problem('service_unavailable', { retryAfter: 1, cause: error })
    // Only undici's own checks of what we hand it: characters that no address or header may have.
    if (error instanceof errors.InvalidArgumentError) return problem('malformed_request', { cause: error })
    return problem('upstream_failed', { cause: error })
  }

  return {
    send,
    async [Symbol.asyncDispose]() {
      await Promise.all([...upstreams.values()].map(({ pool }) => pool.destroy()))
    },
  }
}

/** Sends a request, and where that does no harm once more. */
async function attempt(pool: Pool, request: UpstreamRequest): Promise<UpstreamAnswer> {
  const began = performance.now()
  try {
    return await exchange(pool, request, request.deadlineMs)
  } catch (error) {
    if (!mayRepeat(error, request)) throw error
  }
  // Once, after a moment: the other copy, or the same one on another connection, may answer.
  await wait(20 + Math.random() * 30)
  return exchange(pool, request, request.deadlineMs - (performance.now() - began))
}

/** Whether a failed request may be sent again: nothing of it has left, or doing it twice does no harm. */
function mayRepeat(error: unknown, { repeatable }: UpstreamRequest): boolean {
  return wasNeverSent(error) || (repeatable && isConnectionError(error))
}
