import type { Pool } from '@frontdesk/database'
import type { KeyRing } from '@frontdesk/service/encryption'
import type { OperationHandlers } from '@frontdesk/service/http'
import { pagePosition, pageToken } from '@frontdesk/service/paging'
import { namedSystem, systemHeader, type Catalogue } from '../practice-management-systems/domain.ts'
import { toListItem } from '../sites/wire.ts'
import { boundFilters, listFilters } from './domain.ts'
import { listSites } from './store.ts'

/** The list of sites: filters and pages (design section 5, "Paging"). */
export function siteListRoutes({
  pool,
  ring,
  catalogue,
}: {
  pool: Pool
  ring: KeyRing
  catalogue: Catalogue
}): OperationHandlers<'listSites'> {
  return {
    async listSites({ query, principal, headers }) {
      const named = namedSystem(catalogue, principal, headers[systemHeader])
      const bound = boundFilters(named, query)
      const after = query.nextPageToken === undefined ? '' : pagePosition(ring, query.nextPageToken, bound)
      const { sites, next } = await listSites(pool, listFilters(principal, named, query), after, query.pageSize)
      return {
        status: 200,
        body: {
          Items: sites.map(toListItem),
          ...(next === undefined ? {} : { NextPageToken: pageToken(ring, next, bound) }),
        },
      }
    },
  }
}
