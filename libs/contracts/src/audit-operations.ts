import { AuditList, AuditQuery } from './audit.ts'
import { BySite, errorCategories, type Operation } from './operation.ts'

/** The public operations of the gateway itself (an addition to the interface). */
export const auditOperations = {
  listAuditEntries: {
    service: 'gateway',
    level: 'site',
    clientsOnly: true,
    summary: 'List who did what to a site, newest first',
    description:
      'What clients, site API keys and visitors of onboarding links did to the site, also what was refused or failed. Entries are kept for 400 days. Needs a token; site API keys are refused.',
    refusals: [],
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/audit',
    clientMethod: 'audit.list',
    scope: 'audit:read',
    params: BySite,
    query: AuditQuery,
    responses: { 200: AuditList },
    errors: errorCategories.onEntity,
    deadlineMs: 5_000,
  },
} as const satisfies Record<string, Operation>
