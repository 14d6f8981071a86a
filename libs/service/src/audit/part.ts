import type { AuditEntry, AuditPartQuery, ServiceName, Slug } from '@frontdesk/contracts'
import type { Queryable } from '@frontdesk/database'
import { listAuditEntries } from './store.ts'

interface PartRequest {
  params: { SiteSlug: Slug }
  query: AuditPartQuery
}

/** Returns the handler of the internal operation by which the gateway reads a service's part of the audit trail. */
export function auditPart(db: Queryable, service: ServiceName): (request: PartRequest) => Promise<AuditEntry[]> {
  return ({ params, query }) => listAuditEntries(db, service, params.SiteSlug, query)
}
