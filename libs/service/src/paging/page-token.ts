import { hash } from 'node:crypto'
import { problem } from '@frontdesk/problems'
import type { KeyRing } from '../encryption/key-ring.ts'

/**
 * Makes an opaque page token: the position after which the next page starts, signed, and bound to the filters
 * (design section 5, "Paging"; the page size may change between pages and is not among them).
 */
export function pageToken(ring: KeyRing, position: string, filters: unknown): string {
  const body = Buffer.from(JSON.stringify([position, digest(filters)])).toString('base64url')
  return `${body}.${ring.sign(body, 'page token')}`
}

/** The position of a token made for the same filters. Throws `page_token_invalid` otherwise. */
export function pagePosition(ring: KeyRing, token: string, filters: unknown): string {
  const [body = '', signature = ''] = token.split('.')
  if (!ring.isSigned(body, signature, 'page token')) throw invalid('It was not issued here.')
  const [position, bound] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as [string, string]
  if (bound !== digest(filters)) throw invalid('It was issued for other filters.')
  return position
}

const invalid = (detail: string) =>
  problem('page_token_invalid', { detail, errors: [{ pointer: 'query/nextPageToken', detail }] })

function digest(filters: unknown): string {
  return hash('sha256', JSON.stringify(filters), 'base64url').slice(0, 22)
}
