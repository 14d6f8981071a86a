import type { ProblemError } from '@frontdesk/problems'
import type { FastifyRequest } from 'fastify'

/** Returns who asks for what and from where, as the lines of requests and the audit lines name it. */
export function requestFacts({ apiCaller, operation, params, ip }: FastifyRequest): Record<string, string> {
  const named = params as { SiteSlug?: string; SiteIdentifier?: string } | null
  const site = named?.SiteSlug ?? named?.SiteIdentifier
  return {
    ...(apiCaller === null ? {} : { client: apiCaller.principal.id }),
    ...(site === undefined ? {} : { site: site.slice(0, 200) }),
    ...(operation === null ? {} : { operation }),
    address: ip,
  }
}

/**
 * Logs that a request was refused here, before it reached a service. The gateway has no database: the lines with `audit` are its
 * part of the audit trail.
 */
export function logRefusal(request: FastifyRequest, { code }: ProblemError): void {
  const { requestId, traceId } = request
  request.log.info({ audit: true, outcome: 'Refused', code, ...requestFacts(request), requestId, traceId }, 'refused')
}
