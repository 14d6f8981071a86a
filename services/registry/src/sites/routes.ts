import type { EventOrigin } from '@frontdesk/events'
import type { KeyRing } from '@frontdesk/service/encryption'
import type { OperationHandlers, OperationRequest } from '@frontdesk/service/http'
import type { Database } from '../db.ts'
import { nameOrganisations } from '../organisations/domain.ts'
import { namedSystem, systemHeader, systemOfNewSite, type Catalogue } from '../practice-management-systems/domain.ts'
import { newSlug } from '../random.ts'
import { keyKinds, newSiteKey, openSiteKeys } from '../site-keys/domain.ts'
import { siteKeys } from '../site-keys/store.ts'
import { changeSite, createSite, deleteSite, identifySite, touchSite, type Site } from './domain.ts'
import * as store from './store.ts'
import { toDeletedOrganisation, toIdentity, toListItem } from './wire.ts'

export interface SiteRoutesDependencies {
  database: Database
  ring: KeyRing
  catalogue: Catalogue
  origin: EventOrigin
  /** Called after each commit that left an event in the outbox. */
  wakeRelay: () => void
}

type ManagementOperation = 'createSite' | 'deleteSite' | 'changeSite' | 'getSiteIdentity' | 'rotateSiteKey'
type OnSite = OperationRequest<Exclude<ManagementOperation, 'createSite'>>

/** The site that a request addresses, by slug or PMS-specific id. Throws `site_not_found`. */
export async function findSite(
  { database, catalogue }: Pick<SiteRoutesDependencies, 'database' | 'catalogue'>,
  { params, principal, headers }: Pick<OnSite, 'principal' | 'headers'> & { params: { SiteIdentifier: string } },
): Promise<Site> {
  const named = namedSystem(catalogue, principal, headers[systemHeader])
  const identifier = params.SiteIdentifier
  const systems = named === undefined ? principal.systems : [named]
  return identifySite(await store.candidateSites(database.pool, identifier, systems), identifier, principal, named)
}

/** The management of sites: creation, change, deletion, identity and keys. */
export function siteRoutes(dependencies: SiteRoutesDependencies): OperationHandlers<ManagementOperation> {
  const { database, ring, catalogue, origin, wakeRelay } = dependencies
  const { pool } = database
  const identified = (request: OnSite) => findSite(dependencies, request)

  return {
    async createSite({ body, principal, headers, resourceId, traceparent }) {
      const system = systemOfNewSite(catalogue, principal, namedSystem(catalogue, principal, headers[systemHeader]))
      const named = nameOrganisations(principal, body)
      const existing = [named.owning, named.billing].filter((slug) => slug !== undefined)
      const made = { id: resourceId, slug: newSlug('s'), organisationSlug: newSlug('o'), system, now: new Date() }
      const newKeys = keyKinds.map((kind) => newSiteKey(ring, resourceId, kind, resourceId))
      const { site, keys } = await store.createSite(
        { pool, origin, traceparent },
        resourceId,
        existing,
        newKeys,
        (organisations) => createSite(made, body, principal, named, organisations),
      )
      wakeRelay()
      return { status: 201, body: { Identity: toIdentity(site), PracticeSiteApiKeys: openSiteKeys(ring, keys) } }
    },

    async deleteSite(request) {
      const { id, owningOrganisation } = await identified(request)
      const change = { pool, origin, traceparent: request.traceparent }
      const deleted = await store.deleteSite(change, { id, owningOrganisation }, (site, owner) =>
        deleteSite(site, owner, new Date()),
      )
      wakeRelay()
      const { site, owner } = deleted
      return {
        status: 200,
        body: {
          Identity: toIdentity(site),
          ...(owner.deletedAt === null ? {} : { DeletedOrganisation: toDeletedOrganisation(owner) }),
        },
      }
    },

    async changeSite(request) {
      const { id } = await identified(request)
      const change = { pool, origin, traceparent: request.traceparent }
      const site = await store.updateSite(change, id, (present) => changeSite(present, request.body, new Date()))
      wakeRelay()
      return { status: 200, body: toListItem(site) }
    },

    async getSiteIdentity(request) {
      const site = await identified(request)
      const keys = await siteKeys(pool, site.id)
      return { status: 200, body: { Identity: toIdentity(site), PracticeSiteApiKeys: openSiteKeys(ring, keys) } }
    },

    async rotateSiteKey(request) {
      const { id } = await identified(request)
      const change = { pool, origin, traceparent: request.traceparent }
      const key = newSiteKey(ring, id, request.params.Key, request.resourceId)
      const keys = await store.rotateKey(change, key, (site) => touchSite(site, new Date()))
      wakeRelay()
      return { status: 200, body: openSiteKeys(ring, keys) }
    },
  }
}
