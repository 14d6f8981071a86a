import type { ServiceName } from '@frontdesk/contracts'
import { catalogue, isProblemDetails, problem, type ProblemDetails, type ProblemError } from '@frontdesk/problems'
import type { Answer } from '@frontdesk/service/calls'

/**
 * Returns the problem to send instead of a service's answer; undefined if the answer may go back to the caller. Successes
 * and our own problems may; answers of proxies, and errors between the gateway and the service, may not.
 */
export function faultOfAnswer({ status, headers, body }: Answer, service: ServiceName): ProblemError | undefined {
  if (status >= 200 && status < 300) return undefined
  const isProblem = headers['content-type']?.startsWith('application/problem+json') === true
  // 401 refuses our internal token: the gateway has identified the caller already.
  if (isProblem && status >= 400 && status < 500 && status !== 401) return undefined
  const details = isProblem ? problemIn(body) : undefined
  if (status >= 500 && details !== undefined && details.code in catalogue) return undefined
  // Of a refused token it tells whether the clocks are too far apart.
  const cause = new Error([`${service} answered ${status}`, details?.detail ?? []].flat().join(': '))
  if (status === 503) return problem('service_unavailable', { retryAfter: 1, cause })
  return problem('upstream_failed', { cause })
}

function problemIn(body: Buffer): ProblemDetails | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isProblemDetails(value) ? value : undefined
  } catch {
    return undefined
  }
}
