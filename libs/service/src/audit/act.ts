import type { AuditOutcome, SiteAccess } from '@frontdesk/contracts'
import { v7 as uuidv7 } from 'uuid'
import type { Principal } from '../tokens/internal-tokens.ts'

/** An entry of the audit trail before it is stored. The names are those of the columns. */
export interface NewAuditEntry {
  id: string
  principal: string
  site_key_id?: string | undefined
  client_address?: string | undefined
  site_slug?: string | undefined
  organisation_slug?: string | undefined
  operation: string
  outcome: AuditOutcome
  code?: string | undefined
  targets: readonly string[]
  request_id?: string | undefined
  trace_id?: string | undefined
}

type SiteNames = Pick<SiteAccess, 'slug' | 'owningOrganisation'>

/** The act of a request, for the audit trail. */
export interface Act {
  /**
   * Tells what it is about, such as `payment:<id>`; a later target of the same kind replaces it. `site` is for a request whose
   * path names none.
   */
  about(target: string, site?: SiteNames): void
  /** Returns its entry. */
  entry(outcome: AuditOutcome, code?: string): NewAuditEntry
  /** A statement that has the effect has stored the entry with it. */
  recorded(): void
  readonly isRecorded: boolean
}

export interface ActFacts {
  operation: string
  principal: Pick<Principal, 'id' | 'siteKeyId'>
  site?: SiteNames | undefined
  headers: Readonly<Record<string, string | string[] | undefined>>
  traceId: string
}

/** The header in which the gateway tells the address of the client. */
export const clientAddressHeader = 'x-client-address'

/** Makes the act of a request. Request id and client's address come from the gateway. */
export function createAct({ operation, principal, site, headers, traceId }: ActFacts): Act {
  const targets = new Map<string, string>()
  let named = site
  let isRecorded = false
  return {
    about(target, ofSite) {
      targets.set(target.split(':', 1)[0] ?? '', target)
      named = ofSite ?? named
    },
    entry: (outcome, code) => ({
      id: uuidv7(),
      principal: principal.id,
      site_key_id: principal.siteKeyId,
      client_address: textOf(headers[clientAddressHeader]),
      site_slug: named?.slug,
      organisation_slug: named?.owningOrganisation,
      operation,
      outcome,
      code,
      targets: [...targets.values()],
      request_id: textOf(headers['x-request-id']),
      trace_id: traceId,
    }),
    recorded: () => void (isRecorded = true),
    get isRecorded() {
      return isRecorded
    },
  }
}

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined)
