import { hash } from 'node:crypto'
import { problem } from '@frontdesk/problems'
import type { KeyRing } from '../encryption/key-ring.ts'

/**
 * Returns an opaque page token: the position after which the next page starts, signed together with the filters. The page
 * size is not a filter: it may change from page to page.
 */
export function pageToken(ring: KeyRing, position: string, filters: unknown): string {
  const body = Buffer.from(JSON.stringify([position, digest(filters)])).toString('base64url')
  return `${body}.${ring.sign(body, 'page token')}`
}

/** Returns the position in a page token. Throws `page_token_invalid` if it is not ours or was issued for other filters. */
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
