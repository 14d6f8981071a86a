import type { AuditEntry, AuditOutcome, AuditPartQuery, ServiceName } from '@frontdesk/contracts'
import { camelRows, type Queryable, type Retention } from '@frontdesk/database'
import type { Act, NewAuditEntry } from './act.ts'
import type { StoredEntry } from './chain.ts'

/** The retention of the tables of this folder. The trigger of `audit_entries` has the same 400 days. */
export const auditRetentions = {
  audit_entries: {
    rule: '400 days: a year, and the time to ask about its end',
    deletion: { table: 'audit_entries', column: 'recorded_at', after: '400 days' },
  },
  audit_chain: { rule: 'one row: where the chain of the audit trail begins and ends', by: 'nobody' },
} as const satisfies Record<string, Retention>

const columns = {
  id: 'uuid',
  principal: 'text',
  site_key_id: 'text',
  client_address: 'text',
  site_slug: 'text',
  organisation_slug: 'text',
  operation: 'text',
  outcome: 'text',
  code: 'text',
  targets: 'text[]',
  request_id: 'text',
  trace_id: 'text',
} as const satisfies Record<keyof NewAuditEntry, string>
const names = Object.keys(columns).join(', ')
const typed = Object.entries(columns)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ')

/**
 * Returns SQL, to be embedded in the statement that has the effect, that stores the entry in the parameter `$<parameter>`
 * (`auditParameter`). `basis` names a common table expression: nothing is stored unless it returns a row.
 */
export function auditInsert(parameter: number, basis?: string): string {
  return `
    insert into audit_entries (${names})
    select entry.* from ${basis === undefined ? '' : `${basis}, `}json_to_recordset($${parameter}::json) as entry (${typed})`
}

/** Returns the parameter of `auditInsert` for an act that succeeds; without one nothing is stored. */
export function auditParameter(act: Act | undefined): string {
  return JSON.stringify(act === undefined ? [] : [act.entry('Succeeded')])
}

/** Stores an entry. */
export async function insertAuditEntry(db: Queryable, entry: NewAuditEntry): Promise<void> {
  await db.query({ name: 'audit-insert', text: auditInsert(1), values: [JSON.stringify([entry])] })
}

/** Stores the entry of an act that succeeds, in the transaction of its effect. */
export async function recordAct(tx: Queryable, act: Act): Promise<void> {
  await insertAuditEntry(tx, act.entry('Succeeded'))
  act.recorded()
}

/** Above every time and id: where the newest page begins. */
const newest = { time: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** Returns entries of a site, newest first. */
export async function listAuditEntries(
  db: Queryable,
  service: ServiceName,
  siteSlug: string,
  { limit, RecordedFrom, RecordedTo, BeforeTime, BeforeId }: AuditPartQuery,
): Promise<AuditEntry[]> {
  const result = await db.query({
    name: 'audit-list',
    text: `select * from audit_entries
            where site_slug = $1 and recorded_at >= $2 and recorded_at < $3 and (recorded_at, id) < ($4, $5)
            order by recorded_at desc, id desc limit $6`,
    values: [
      siteSlug,
      RecordedFrom ?? '-infinity',
      RecordedTo ?? 'infinity',
      BeforeTime ?? newest.time,
      BeforeId ?? newest.id,
      limit,
    ],
  })
  return camelRows<StoredEntry>(result).map((entry) => toWire(service, entry))
}

function toWire(service: ServiceName, entry: StoredEntry): AuditEntry {
  const { code, siteKeyId, clientAddress, siteSlug, organisationSlug, requestId, traceId } = entry
  return {
    EntryId: entry.id,
    RecordedAt: entry.recordedAt.toISOString(),
    Service: service,
    Operation: entry.operation,
    Outcome: entry.outcome as AuditOutcome,
    ...(code === null ? {} : { Code: code }),
    Principal: entry.principal,
    ...(siteKeyId === null ? {} : { SiteKeyId: siteKeyId }),
    ...(clientAddress === null ? {} : { ClientAddress: clientAddress }),
    ...(siteSlug === null ? {} : { SiteSlug: siteSlug }),
    ...(organisationSlug === null ? {} : { OrganisationSlug: organisationSlug }),
    Targets: entry.targets,
    ...(requestId === null ? {} : { RequestId: requestId }),
    ...(traceId === null ? {} : { TraceId: traceId }),
  }
}
