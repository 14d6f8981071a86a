import { operations } from '@frontdesk/contracts'
import type { EventOrigin, Relay } from '@frontdesk/events'
import { problem } from '@frontdesk/problems'
import type { InternalClient } from '@frontdesk/service/calls'
import type { KeyRing } from '@frontdesk/service/encryption'
import type { InternalHandlers, OperationHandlers, OperationRequest, UnvalidatedRequest } from '@frontdesk/service/http'
import type { Principal } from '@frontdesk/service/tokens'
import { Compile } from 'typebox/compile'
import type { Database } from '../db.ts'
import { nameOrganisations } from '../organisations/domain.ts'
import { namedSystem, systemHeader, systemOfNewSite, type Catalogue } from '../practice-management-systems/domain.ts'
import { newSlug } from '../random.ts'
import { idOf, keyKinds, newSiteKey, openSiteKeys } from '../site-keys/domain.ts'
import { siteKeys } from '../site-keys/store.ts'
import { changeSite, createSite, deleteSite, identifySite, normalId, touchSite, type Site } from './domain.ts'
import { aboutSite } from './acts.ts'
import * as store from './store.ts'
import { toDeletedOrganisation, toIdentity, toListItem, toSiteAccess } from './wire.ts'

export interface SiteDeps extends Pick<Database, 'pool' | 'prisma'> {
  ring: KeyRing
  catalogue: Catalogue
  origin: EventOrigin
  relay: Pick<Relay, 'wake'>
  internal: Pick<InternalClient, 'call'>
}

/** The result of the checks that precede validation. */
export interface Found {
  /** The practice management system that the request names; for a new site, the one that it will belong to. */
  system: string | undefined
  /** The site of a `changeSite`. No other operation on a site has a body, so the others find their site when they run. */
  site?: Site
}

const changeParams = Compile(operations.changeSite.params)

/**
 * Checks the practice management system of a request, and finds the site that it changes.
 * Throws what `namedSystem`, `systemOfNewSite` and `identifySite` throw.
 */
export async function findAddressed(
  deps: Pick<SiteDeps, 'pool' | 'catalogue'>,
  { id, principal, headers, params }: UnvalidatedRequest,
): Promise<Found> {
  // The list of the names is for clients that do not know them yet: a wrong one is no fault there.
  if (id === 'listPracticeManagementSystems') return { system: undefined }
  const system = namedSystem(deps.catalogue, principal, headers[systemHeader])
  if (id === 'createSite') return { system: systemOfNewSite(deps.catalogue, principal, system) }
  if (id !== 'changeSite' || !changeParams.Check(params)) return { system }
  return { system, site: await findSite(deps, params.SiteIdentifier, principal, system) }
}

/** Finds a site by its slug or PMS-specific id. Throws `site_not_found`. */
async function findSite(
  { pool }: Pick<SiteDeps, 'pool'>,
  identifier: string,
  principal: Principal,
  system: string | undefined,
): Promise<Site> {
  const systems = system === undefined ? principal.practiceManagementSystems : [system]
  const id = normalId(identifier)
  return identifySite(await store.candidateSites(pool, id, systems), id, principal, system)
}

type SiteOperation = 'createSite' | 'deleteSite' | 'changeSite' | 'getSiteIdentity' | 'rotateSiteKey'

/** The management of sites: creation, change, deletion, identity and keys. */
export function siteRoutes(deps: SiteDeps): OperationHandlers<SiteOperation, Found> {
  const { pool, ring, catalogue, origin, relay, internal } = deps
  async function siteOf(request: OperationRequest<Exclude<SiteOperation, 'createSite'>, Found>): Promise<Site> {
    const { found, params, principal, act } = request
    const site = found.site ?? (await findSite(deps, params.SiteIdentifier, principal, found.system))
    aboutSite(act, site)
    return site
  }

  /**
   * Has what a replaced key began ended before its caller reads the reply. Returns the number of paused subscriptions; undefined
   * if webhook-delivery does not answer: the event of the rotation tells it later.
   */
  async function endSiteKey(
    SiteSlug: string,
    SiteKeyId: string,
    { traceparent, log }: Pick<OperationRequest<'rotateSiteKey'>, 'traceparent' | 'log'>,
  ): Promise<number | undefined> {
    try {
      return (await internal.call('endSiteKey', { SiteSlug, SiteKeyId }, { traceparent })).pausedSubscriptions
    } catch (error) {
      log.warn({ err: error }, 'what a replaced site key began ends by its event')
      return undefined
    }
  }

  return {
    async createSite({ body, principal, found, resourceId, traceparent, act }) {
      const practiceManagementSystem = systemOfNewSite(catalogue, principal, found.system)
      const named = nameOrganisations(principal, body)
      const existing = [named.owning, named.billing].filter((slug) => slug !== undefined)
      const made = {
        id: resourceId,
        slug: newSlug('s'),
        organisationSlug: newSlug('o'),
        practiceManagementSystem,
        now: new Date(),
      }
      const newKeys = keyKinds.map((kind) => newSiteKey(ring, resourceId, kind, resourceId))
      const { site, keys } = await store.createSite(
        { pool, origin, traceparent, act },
        resourceId,
        existing,
        newKeys,
        (organisations) => createSite(made, body, principal, named, organisations),
      )
      // A resumed request finds the site of its first try.
      aboutSite(act, site)
      relay.wake()
      return { status: 201, body: { Identity: toIdentity(site), PracticeSiteApiKeys: openSiteKeys(ring, keys) } }
    },

    async deleteSite(request) {
      const found = await siteOf(request)
      const change = { pool, origin, traceparent: request.traceparent, act: request.act }
      const { site, owner } = await store.deleteSite(change, found, (present, organisation) =>
        deleteSite(present, organisation, new Date()),
      )
      relay.wake()
      return {
        status: 200,
        body: {
          Identity: toIdentity(site),
          ...(owner.deletedAt === null ? {} : { DeletedOrganisation: toDeletedOrganisation(owner) }),
        },
      }
    },

    async changeSite(request) {
      const found = await siteOf(request)
      const change = { pool, origin, traceparent: request.traceparent, act: request.act }
      const site = await store.updateSite(change, found, (present) => changeSite(present, request.body, new Date()))
      relay.wake()
      return { status: 200, body: toListItem(site) }
    },

    async getSiteIdentity(request) {
      const site = await siteOf(request)
      const keys = await siteKeys(pool, site.id)
      return { status: 200, body: { Identity: toIdentity(site), PracticeSiteApiKeys: openSiteKeys(ring, keys) } }
    },

    async rotateSiteKey(request) {
      const { id, slug } = await siteOf(request)
      request.act.about(`key:${request.params.Key}`)
      const change = { pool, origin, traceparent: request.traceparent, act: request.act }
      const key = newSiteKey(ring, id, request.params.Key, request.resourceId)
      const { keys, replaced } = await store.rotateKey(change, key, (site, old) =>
        touchSite(site, new Date(), { replacedSiteKeyId: idOf(old) }),
      )
      relay.wake()
      const paused = replaced === undefined ? undefined : await endSiteKey(slug, idOf(replaced), request)
      const told = paused === undefined ? {} : { PausedSubscriptions: paused }
      return { status: 200, body: { ...openSiteKeys(ring, keys), ...told } }
    },
  }
}

/** Resolves a site for the gateway, which lets requests through by it: by slug, or by the SHA-256 of an API key. */
export function siteAccessRoutes({
  pool,
  prisma,
}: Pick<SiteDeps, 'pool' | 'prisma'>): InternalHandlers<'resolveSite' | 'resolveSiteKey'> {
  return {
    async resolveSite({ params }) {
      const site = await prisma.site.findUnique({ where: { slug: params.SiteSlug, deletedAt: null } })
      if (site === null) throw problem('site_not_found')
      return toSiteAccess(site as Site)
    },
    async resolveSiteKey({ params }) {
      const site = await store.siteOfKey(pool, Buffer.from(params.KeyHash, 'hex'))
      if (site === undefined) throw problem('site_not_found')
      return toSiteAccess(site)
    },
  }
}
