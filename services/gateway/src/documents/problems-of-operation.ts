import type { Operation } from '@frontdesk/contracts'
import { catalogue, type ProblemCode } from '@frontdesk/problems'

/** Any request may meet these: one that needs no body may have one all the same. */
export const ofEveryOperation = [
  'malformed_request',
  'malformed_json',
  'unauthorized',
  'scope_missing',
  'not_acceptable',
  'request_timeout',
  'body_too_large',
  'uri_too_long',
  'media_type_unsupported',
  'headers_too_large',
  'rate_limited',
  'internal_error',
  'upstream_failed',
  'service_unavailable',
  'overloaded',
  'deadline_exceeded',
] as const satisfies readonly ProblemCode[]

const ofIdempotencyKeys = ['idempotency_key_malformed', 'idempotency_key_in_use', 'idempotency_key_reused'] as const
const ofPages = ['page_token_invalid'] as const
const ofSites = ['site_not_found'] as const
const ofSystems = [
  'practice_management_software_unknown',
  'practice_management_software_required',
  'practice_management_software_forbidden',
] as const

/** Returns the codes of all problems that an operation can answer with, in the order of the catalogue. */
export function problemsOf(operation: Operation): ProblemCode[] {
  const { method, query, level, path, practiceManagementSoftware = false } = operation
  const isOfSite = level === 'site' || path.includes('{SiteIdentifier}')
  const codes = new Set<string>([
    ...ofEveryOperation,
    ...(method === 'POST' ? ofIdempotencyKeys : []),
    ...(query !== undefined && 'nextPageToken' in query.properties ? ofPages : []),
    ...(isOfSite ? ofSites : []),
    ...(practiceManagementSoftware ? ofSystems : []),
    ...operation.refusals,
  ])
  return (Object.keys(catalogue) as ProblemCode[]).filter((code) => codes.has(code))
}
