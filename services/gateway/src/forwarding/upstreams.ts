import type { ServiceName } from '@frontdesk/contracts'
import { problem, ProblemError } from '@frontdesk/problems'
import { DeadlinePassed, isConnectionError, type Answer, type PeerRequest, type Peers } from '@frontdesk/service/calls'
import { errors } from 'undici'
import type { GatewayMetrics } from '../metrics.ts'
import { overloaded } from '../overload/shedding.ts'

/**
 * Sends a request to a service and returns its answer. Throws `overloaded` if too many requests are under way to the
 * service, `service_unavailable` if it cannot be reached or its breaker is open, `deadline_exceeded` and `upstream_failed`.
 */
export type SendUpstream = (request: PeerRequest) => Promise<Answer>

export interface SendUpstreamDeps {
  peers: Peers
  /** Requests under way to one service: a service that hangs leaves room for the others. */
  maxInFlight: number
  metrics: GatewayMetrics
}

export function createSendUpstream({ peers, maxInFlight, metrics }: SendUpstreamDeps): SendUpstream {
  const inFlight = new Map<ServiceName, number>()
  metrics.breakers(() => peers.breakerStates().map(([service, state]) => [service, state !== 'closed']))

  function failure(error: unknown, service: ServiceName): ProblemError {
    const isLate = error instanceof DeadlinePassed
    // Peers throw no other problem but that of the open breaker.
    const isRefused = error instanceof ProblemError
    const reason = isRefused ? 'breaker' : isLate ? 'deadline' : isConnectionError(error) ? 'connection' : 'other'
    metrics.upstreamFailures.inc({ service, reason })
    if (isRefused) return error
    if (isLate) return problem('deadline_exceeded', { cause: error })
    if (isConnectionError(error)) return problem('service_unavailable', { retryAfter: 1, cause: error })
    // undici refuses only what the client sent: characters that no path or header may have.
    if (error instanceof errors.InvalidArgumentError) return problem('malformed_request', { cause: error })
    return problem('upstream_failed', { cause: error })
  }

  return async (request) => {
    const { service } = request
    const count = inFlight.get(service) ?? 0
    if (count >= maxInFlight) {
      metrics.shed.inc({ reason: 'service' })
      throw overloaded()
    }
    inFlight.set(service, count + 1)
    try {
      return await peers.send(request)
    } catch (error) {
      throw failure(error, service)
    } finally {
      inFlight.set(service, (inFlight.get(service) ?? 1) - 1)
    }
  }
}
