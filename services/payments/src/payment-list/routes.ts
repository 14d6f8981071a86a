import { operations, type AllPaymentsQuery } from '@frontdesk/contracts'
import type { OperationHandlers } from '@frontdesk/service/http'
import { openPage, pageToken } from '@frontdesk/service/paging'
import type { PaymentDeps } from '../payment/deps.ts'
import { rowToWire } from '../payment/wire.ts'
import { toCsv } from './csv.ts'
import { carriedFilters, listFilters } from './domain.ts'
import { listPayments } from './store.ts'

export type PaymentListDeps = Pick<PaymentDeps, 'ring' | 'providers' | 'listPool'>

/** The list of payments across the sites of a client, as JSON or CSV. */
export function paymentListRoutes(deps: PaymentListDeps): OperationHandlers<'listAllPayments'> {
  const { listPool, ring } = deps
  return {
    async listAllPayments({ query, principal, headers }) {
      const { pageSize, nextPageToken: token, ...named } = query
      const { after, filters } = openPage(ring, token, carriedFilters(named))
      const { payments, next } = await listPayments(listPool, listFilters(principal, filters), after, pageSize)
      const items = payments.map((row) => ({ SiteSlug: row.siteSlug, ...rowToWire(deps, row) }))
      const nextToken = next === undefined ? undefined : pageToken(ring, next, filters)
      if (headers.accept !== 'text/csv') {
        const body = { Items: items, ...(nextToken === undefined ? {} : { NextPageToken: nextToken }) }
        return { status: 200, body }
      }
      // Only the first page has the header, so that the pages can be put one after the other.
      const hasHeader = after === undefined
      const present = hasHeader ? 'present' : 'absent'
      return {
        status: 200,
        body: toCsv(items, { hasHeader }),
        headers: {
          'content-type': `text/csv; charset=utf-8; header=${present}`,
          ...(nextToken === undefined ? {} : { link: `<${addressOf(query, nextToken)}>; rel="next"` }),
        },
      }
    },
  }
}

/** Returns the address of the next page (RFC 8288), relative to the gateway's. */
function addressOf(query: AllPaymentsQuery, nextPageToken: string): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, nextPageToken }))
    for (const each of [value].flat()) parameters.append(name, String(each))
  return `${operations.listAllPayments.path}?${parameters.toString()}`
}
