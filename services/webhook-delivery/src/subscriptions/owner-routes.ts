import { transaction } from '@frontdesk/database'
import { problem } from '@frontdesk/problems'
import { recordAct } from '@frontdesk/service/audit'
import type { KeyRing } from '@frontdesk/service/encryption'
import type { OperationHandlers } from '@frontdesk/service/http'
import { openPage, pageToken } from '@frontdesk/service/paging'
import type { Database } from '../db.ts'
import { oldestOpenId } from '../event-ids.ts'
import * as store from './store.ts'
import { toSummary } from './wire.ts'

export interface OwnerRoutesDeps {
  db: Database
  ring: KeyRing
  onChange: (subscriptionId: string) => void
}

/** Lists and ends the subscriptions of a site, whoever made them, for everybody who has access to the site. */
export function ownerRoutes({
  db,
  ring,
  onChange,
}: OwnerRoutesDeps): OperationHandlers<'listSubscriptions' | 'endSubscription'> {
  return {
    async listSubscriptions({ site, query }) {
      const { after, filters } = openPage(ring, query.nextPageToken, { list: 'subscriptions', site: site.slug })
      const found = await db.prisma.subscription.findMany({
        where: { siteSlug: site.slug, deletedAt: null, ...(after === undefined ? {} : { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        take: query.pageSize + 1,
      })
      const page = found.slice(0, query.pageSize)
      const last = page.at(-1)
      const next = found.length > page.length && last !== undefined ? pageToken(ring, last.id, filters) : undefined
      return {
        status: 200,
        body: { Items: page.map(toSummary), ...(next === undefined ? {} : { NextPageToken: next }) },
      }
    },

    async endSubscription({ site, params, act }) {
      const ended = await transaction(db.pool, async (tx) => {
        const existing = await store.lockSubscriptionOfSite(tx, site.slug, params.SubscriptionId)
        if (existing === undefined) throw problem('subscription_not_found')
        act.about(`subscription:${existing.id}`)
        await store.cancelPending(tx, existing.id, oldestOpenId(Date.now()))
        await store.endSubscriptions(tx, [existing.id], 0)
        await recordAct(tx, act)
        return existing
      })
      onChange(ended.id)
      return { status: 200, body: toSummary(ended) }
    },
  }
}
