import type { KeyRing } from '@frontdesk/service/encryption'
import type { OperationHandlers } from '@frontdesk/service/http'
import { openPage, pageToken } from '@frontdesk/service/paging'
import type { Database } from '../db.ts'
import type { Found } from '../sites/routes.ts'
import { toListItem } from '../sites/wire.ts'
import { listFilters, namedFilters } from './domain.ts'
import { listSites } from './store.ts'

export interface SiteListDeps extends Pick<Database, 'listPool'> {
  ring: KeyRing
}

/** The list of sites, with filters and pages. */
export function siteListRoutes({ listPool, ring }: SiteListDeps): OperationHandlers<'listSites', Found> {
  return {
    async listSites({ query, principal, found: { system } }) {
      const { after = '', filters } = openPage(ring, query.nextPageToken, namedFilters(system, query))
      const { sites, next } = await listSites(listPool, listFilters(principal, filters), after, query.pageSize)
      return {
        status: 200,
        body: {
          Items: sites.map(toListItem),
          ...(next === undefined ? {} : { NextPageToken: pageToken(ring, next, filters) }),
        },
      }
    },
  }
}
