import { hash } from 'node:crypto'
import { problem } from '@frontdesk/problems'
import type { KeyRing } from '../encryption/key-ring.ts'

/** The filters of a list by name, and what else a page token is bound to. A filter that is not given is undefined. */
export type Filters = Readonly<Record<string, unknown>>

/** Where a page begins, and the filters by which it is read. */
export interface OpenedPage<F extends Filters> {
  /** The position after which the page begins; undefined for the first page. */
  after: string | undefined
  filters: F
}

/** A token with more than so many characters of filters would not fit into an address beside them. */
const mostCarried = 8_192

/**
 * Returns an opaque page token, signed: the position after which the next page starts, and the filters, so that the token alone
 * is enough. The page size is not a filter: it may change from page to page.
 */
export function pageToken(ring: KeyRing, position: string, filters: Filters): string {
  const isCarried = JSON.stringify(filters).length <= mostCarried
  const parts = isCarried ? [position, filters] : [position, null, digest(filters)]
  const body = Buffer.from(JSON.stringify(parts)).toString('base64url')
  return `${body}.${ring.sign(body, 'page token')}`
}

/**
 * Opens the page of a token; without a token, or with an empty one, it is the first page of the given filters. Filters that are
 * not given are the token's. Throws `page_token_invalid` if the token is not ours or a given filter is another than the token's.
 */
export function openPage<F extends Filters>(ring: KeyRing, token: string | undefined, given: F): OpenedPage<F> {
  if (token === undefined || token === '') return { after: undefined, filters: given }
  const [body = '', signature = ''] = token.split('.')
  if (!ring.isSigned(body, signature, 'page token')) throw invalidToken('It was not issued here.')
  const parts = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as [string, unknown, string?]
  const [position, carried, bound] = parts
  if (bound !== undefined) {
    if (bound !== digest(given))
      throw invalidToken('It has too many filters to carry them: send the same ones with it.')
    return { after: position, filters: given }
  }
  return { after: position, filters: agreedFilters(given, carried) }
}

/** Returns the filters of a token. Throws `page_token_invalid` if they are none, or one of them is given and is not the same. */
export function agreedFilters<F extends Filters>(given: F, carried: unknown): F {
  // A token of the release before has a digest here.
  if (typeof carried !== 'object' || carried === null) throw invalidToken('It was not issued here.')
  const held = carried as Filters
  const other = Object.keys(given).find(
    (name) => given[name] !== undefined && JSON.stringify(given[name]) !== JSON.stringify(held[name]),
  )
  if (other !== undefined)
    throw invalidToken(`It was issued for another ${other}: leave the filters out, or send the same.`)
  return held as F
}

export const invalidToken = (detail: string) =>
  problem('page_token_invalid', { detail, errors: [{ pointer: '/query/nextPageToken', detail }] })

function digest(filters: Filters): string {
  return hash('sha256', JSON.stringify(filters), 'base64url').slice(0, 22)
}
