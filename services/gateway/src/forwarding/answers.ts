import type { ServiceName } from '@frontdesk/contracts'
import { catalogue, isProblemDetails, problem, type ProblemError } from '@frontdesk/problems'
import type { UpstreamAnswer } from './exchange.ts'

/**
 * Why a service's answer must not go back to the caller, or undefined where it may: successes and our own problems do;
 * what something else on the way has said, and what tells of a fault between us and the service, does not.
 */
export function faultOfAnswer(
  { status, headers, body }: UpstreamAnswer,
  service: ServiceName,
): ProblemError | undefined {
  if (status >= 200 && status < 300) return undefined
  const cause = new Error(`${service} answered ${status}`)
  const isProblem = headers['content-type']?.startsWith('application/problem+json') === true
  // 401 is about our internal token: the caller's identity was settled here.
  if (isProblem && status >= 400 && status < 500 && status !== 401) return undefined
  if (isProblem && status >= 500 && isOurs(body)) return undefined
  if (status === 503) return problem('service_unavailable', { retryAfter: 1, cause })
  return problem('upstream_failed', { cause })
}

function isOurs(body: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isProblemDetails(value) && value.code in catalogue
  } catch {
    return false
  }
}
