import { hash } from 'node:crypto'
import type { AuditEntry } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'

/** The entry after which the next page begins. */
export type AuditPosition = Pick<AuditEntry, 'RecordedAt' | 'EntryId'>

/**
 * Returns the token of the page after an entry. It is not signed, for it opens nothing: every page is read for the site of its
 * address, whose caller is checked again.
 */
export function auditPageToken({ RecordedAt, EntryId }: AuditPosition, filters: unknown): string {
  return Buffer.from(JSON.stringify([RecordedAt, EntryId, digest(filters)])).toString('base64url')
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns the position in a page token. Throws `page_token_invalid` if it is none, or was issued for other filters. */
export function auditPosition(token: string, filters: unknown): AuditPosition {
  const [RecordedAt, EntryId, bound] = partsOf(token)
  const isTime = typeof RecordedAt === 'string' && !Number.isNaN(Date.parse(RecordedAt))
  if (!isTime || typeof EntryId !== 'string' || !uuid.test(EntryId)) throw invalid('It was not issued here.')
  if (bound !== digest(filters)) throw invalid('It was issued for other filters.')
  return { RecordedAt, EntryId }
}

function partsOf(token: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

const invalid = (detail: string) =>
  problem('page_token_invalid', { detail, errors: [{ pointer: 'query/nextPageToken', detail }] })

function digest(filters: unknown): string {
  return hash('sha256', JSON.stringify(filters), 'base64url').slice(0, 22)
}

/** Puts the parts of the services together: newest first, and in one order for equal times. */
export function mergeParts(parts: readonly (readonly AuditEntry[])[]): AuditEntry[] {
  return parts.flat().toSorted((a, b) => compare(b.RecordedAt, a.RecordedAt) || compare(b.EntryId, a.EntryId))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
