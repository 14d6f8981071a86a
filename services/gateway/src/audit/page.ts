import { AuditQuery, type AuditEntry } from '@frontdesk/contracts'
import { agreedFilters, invalidToken } from '@frontdesk/service/paging'
import { Compile } from 'typebox/compile'

/** The entry after which the next page begins. */
export type AuditPosition = Pick<AuditEntry, 'RecordedAt' | 'EntryId'>

/** The site and the span of a list. */
export interface AuditFilters extends Pick<AuditQuery, 'RecordedFrom' | 'RecordedTo'> {
  [name: string]: unknown
  SiteSlug: string
}

/**
 * Returns the token of the page after an entry, with the filters. It is not signed, for it opens nothing: every page is read for the
 * site of its address, whose caller is checked again.
 */
export function auditPageToken({ RecordedAt, EntryId }: AuditPosition, filters: AuditFilters): string {
  return Buffer.from(JSON.stringify([RecordedAt, EntryId, filters])).toString('base64url')
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const queryForm = Compile(AuditQuery)

/**
 * Returns where the page of a token begins, and its filters; without a token, or with an empty one, the first page. Throws
 * `page_token_invalid` if it is none, or a given filter is another than the token's.
 */
export function openAuditPage(
  token: string | undefined,
  given: AuditFilters,
): { before?: AuditPosition; filters: AuditFilters } {
  if (token === undefined || token === '') return { filters: given }
  const [RecordedAt, EntryId, carried] = partsOf(token)
  const isTime = typeof RecordedAt === 'string' && !Number.isNaN(Date.parse(RecordedAt))
  if (!isTime || typeof EntryId !== 'string' || !uuid.test(EntryId)) throw invalidToken('It was not issued here.')
  const { SiteSlug, ...span } = agreedFilters(given, carried)
  if (SiteSlug !== given.SiteSlug || !queryForm.Check({ pageSize: 1, ...span }))
    throw invalidToken('It was not issued here.')
  return { before: { RecordedAt, EntryId }, filters: { SiteSlug, ...span } }
}

function partsOf(token: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

/** Puts the parts of the services together: newest first, and in one order for equal times. */
export function mergeParts(parts: readonly (readonly AuditEntry[])[]): AuditEntry[] {
  return parts.flat().toSorted((a, b) => compare(b.RecordedAt, a.RecordedAt) || compare(b.EntryId, a.EntryId))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
