import { problem } from '@frontdesk/problems'
import type { InternalHandlers } from '@frontdesk/service/http'
import type { Database } from '../db.ts'
import type { Site } from '../sites/domain.ts'
import { siteOfKey } from '../sites/store.ts'
import { toSiteAccess } from '../sites/wire.ts'

/** What the gateway asks to let a request on a site through: the site of a slug, or of the hash of an API key. */
export function siteAccessRoutes({ pool, prisma }: Database): InternalHandlers<'resolveSite' | 'resolveSiteKey'> {
  return {
    async resolveSite({ params }) {
      const site = await prisma.site.findUnique({ where: { slug: params.SiteSlug, deletedAt: null } })
      if (site === null) throw problem('site_not_found')
      return toSiteAccess(site as Site)
    },
    async resolveSiteKey({ params }) {
      const site = await siteOfKey(pool, Buffer.from(params.KeyHash, 'hex'))
      if (site === undefined) throw problem('site_not_found')
      return toSiteAccess(site)
    },
  }
}
