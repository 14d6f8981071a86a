import { isDeepStrictEqual } from 'node:util'
import {
  slugPattern,
  type SiteChange,
  type SiteCreation,
  type SiteStatus,
  type StreetAddress,
} from '@frontdesk/contracts'
import { eventSiteOf, type OutgoingEvent } from '@frontdesk/events'
import { problem } from '@frontdesk/problems'
import type { Principal } from '@frontdesk/service/tokens'
import {
  newOrganisation,
  usableOrganisation,
  withSiteLess,
  withSiteMore,
  type Caller,
  type NamedOrganisations,
  type Organisation,
} from '../organisations/domain.ts'
import { systemRequired } from '../practice-management-systems/domain.ts'

export interface Site {
  id: string
  slug: string
  name: string
  /** Code of its practice management system. */
  practiceManagementSystem: string
  /** Its id in that system; its slug until the system sets one. */
  pmsSpecificId: string
  owningOrganisation: string
  billingOrganisation: string
  status: SiteStatus
  address: StreetAddress | null
  postalAddress: StreetAddress | null
  coordinates: { Latitude: number; Longitude: number } | null
  phoneNumber: string | null
  emailAddress: string | null
  currency: string | null
  mapPlaceId: string | null
  applicationVersion: string | null
  /** The address for webhooks if neither the subscription nor its client names one. */
  webhookUrl: string | null
  /** Number of its events. */
  version: number
  createdAt: Date
  changedAt: Date
  deletedAt: Date | null
}

export type RegistryEvent = OutgoingEvent<'site.created' | 'site.updated' | 'site.deleted' | 'organisation.deleted'>

/** Returns whether a caller may see and change a site. For all others the site does not exist. */
export function isVisible(
  caller: Caller,
  site: Pick<Site, 'practiceManagementSystem' | 'owningOrganisation'>,
): boolean {
  return (
    caller.practiceManagementSystems.includes(site.practiceManagementSystem) &&
    (caller.organisations === undefined || caller.organisations.includes(site.owningOrganisation))
  )
}

/** Returns an identifier in the one form (NFC) that is stored and looked up: `ü` may come as one character or as two. */
export const normalId = (identifier: string): string => identifier.normalize('NFC')

/**
 * Returns the site of an identifier: first as a slug, whatever the system, then as the id in a practice management system.
 * Throws `site_not_found` (404), and `practice_management_software_required` (400) if the identifier is not the slug of a
 * visible site and the caller has several systems but names none.
 *
 * @param candidates every site with that slug, or with that id in one of the caller's systems
 * @param named the system that the request names
 */
export function identifySite(
  candidates: readonly Site[],
  identifier: string,
  caller: Caller,
  named: string | undefined,
): Site {
  const visible = candidates.filter((site) => isVisible(caller, site))
  const bySlug = visible.find((site) => site.slug === identifier)
  if (bySlug !== undefined) return bySlug
  const [byId] = visible.filter((site) => named === undefined || site.practiceManagementSystem === named)
  // An identifier in the form of a slug that is no id in any system is not found: no header would help.
  const isPmsSpecific = byId !== undefined || !slugPattern.test(identifier)
  if (named === undefined && caller.practiceManagementSystems.length > 1 && isPmsSpecific) {
    throw systemRequired(caller, 'The identifier is not a slug, so it belongs to one practice management system.')
  }
  if (byId === undefined) throw problem('site_not_found')
  return byId
}

/** The values of a new site that do not come from the request's body. */
export interface NewSite {
  id: string
  slug: string
  /** The slug of its organisation, if one is created for it. */
  organisationSlug: string
  practiceManagementSystem: string
  now: Date
}

export interface CreatedSite {
  site: Site
  owner: Organisation
  event: RegistryEvent
}

/**
 * Creates a site in the named organisations, or in a new one with the site's name. Without an address for webhooks it has the one
 * that is registered for the caller, so that its API keys can subscribe at once. Throws `organisation_unknown`.
 */
export function createSite(
  made: NewSite,
  request: SiteCreation,
  caller: Caller & Pick<Principal, 'webhookUrl'>,
  named: NamedOrganisations,
  organisations: readonly Organisation[],
): CreatedSite {
  const { id, slug, practiceManagementSystem: system, now } = made
  const name = request.Name.trim()
  const owner =
    named.owning === undefined
      ? newOrganisation({ slug: made.organisationSlug, name, practiceManagementSystem: system, now })
      : withSiteMore(usableOrganisation(caller, organisations, named.owning, '/OwningOrganisationSlug'))
  if (named.billing !== undefined) {
    usableOrganisation(caller, organisations, named.billing, '/BillingOrganisationSlug')
  }
  const site: Site = {
    id,
    slug,
    name,
    practiceManagementSystem: system,
    pmsSpecificId: slug,
    owningOrganisation: owner.slug,
    billingOrganisation: named.billing ?? owner.slug,
    status: 'Operational',
    address: request.Address ?? null,
    postalAddress: request.PostalAddress ?? null,
    coordinates: null,
    phoneNumber: request.PhoneNumber ?? null,
    emailAddress: request.EmailAddress ?? null,
    currency: request.Currency ?? null,
    mapPlaceId: null,
    applicationVersion: null,
    webhookUrl: request.WebhookUrl ?? caller.webhookUrl ?? null,
    version: 1,
    createdAt: now,
    changedAt: now,
    deletedAt: null,
  }
  return { site, owner, event: siteEvent('site.created', site, now) }
}

export interface ChangedSite {
  next: Site
  events: RegistryEvent[]
}

/** Applies a merge patch (RFC 7396): null removes a member. A patch without effect makes no event. */
export function changeSite(site: Site, patch: SiteChange, now: Date): ChangedSite {
  const changed: Site = {
    ...site,
    name: patch.Name?.trim() ?? site.name,
    address: mergedAddress(site.address, patch.Address),
    postalAddress: mergedAddress(site.postalAddress, patch.PostalAddress),
    phoneNumber: merged(site.phoneNumber, patch.PhoneNumber),
    emailAddress: merged(site.emailAddress, patch.EmailAddress),
    currency: merged(site.currency, patch.Currency),
    coordinates: merged(site.coordinates, patch.Coordinates),
    mapPlaceId: merged(site.mapPlaceId, patch.MapPlaceId),
    applicationVersion: merged(site.applicationVersion, patch.ApplicationVersion),
    webhookUrl: merged(site.webhookUrl, patch.WebhookUrl),
    status: patch.SiteStatus ?? site.status,
    pmsSpecificId: patch.PmsSpecificSiteId === undefined ? site.pmsSpecificId : normalId(patch.PmsSpecificSiteId),
  }
  if (isDeepStrictEqual(changed, site)) return { next: site, events: [] }
  return touchSite(changed, now)
}

/**
 * Returns a site's next version and its event, for a change that `site` holds already or that it does not show: a key. The event
 * names a key that was replaced.
 */
export function touchSite(site: Site, now: Date, more: ReplacedKey = {}): ChangedSite {
  const next = { ...site, version: site.version + 1, changedAt: now }
  return { next, events: [siteEvent('site.updated', next, now, more)] }
}

interface ReplacedKey {
  replacedSiteKeyId?: string
}

export interface DeletedSite {
  site: Site
  owner: Organisation
  events: RegistryEvent[]
}

/** Deletes a site, and its organisation if that owns no other. */
export function deleteSite(site: Site, owner: Organisation, now: Date): DeletedSite {
  const next = { ...site, version: site.version + 1, changedAt: now, deletedAt: now }
  const left = withSiteLess(owner, now)
  return { site: next, owner: left.next, events: [siteEvent('site.deleted', next, now), ...left.events] }
}

function siteEvent(
  type: 'site.created' | 'site.updated' | 'site.deleted',
  site: Site,
  time: Date,
  more: ReplacedKey = {},
): RegistryEvent {
  return {
    type,
    aggregate: { type: 'site', id: site.slug, version: site.version },
    time,
    site: eventSiteOf(site),
    data: {
      version: site.version,
      siteSlug: site.slug,
      name: site.name,
      practiceManagementSoftware: site.practiceManagementSystem,
      pmsSpecificSiteId: site.pmsSpecificId,
      owningOrganisationSlug: site.owningOrganisation,
      billingOrganisationSlug: site.billingOrganisation,
      siteStatus: site.status,
      ...(site.currency === null ? {} : { currency: site.currency }),
      ...(site.deletedAt === null ? {} : { deletedAt: site.deletedAt.toISOString() }),
      ...more,
    },
  }
}

function merged<T>(present: T | null, patch: T | null | undefined): T | null {
  return patch === undefined ? present : patch
}

function mergedAddress(present: StreetAddress | null, patch: SiteChange['Address']): StreetAddress | null {
  if (patch === undefined || patch === null) return patch === undefined ? present : null
  const members = Object.entries({ ...present, ...patch }).filter(([, value]) => value !== null)
  return Object.fromEntries(members) as StreetAddress
}
