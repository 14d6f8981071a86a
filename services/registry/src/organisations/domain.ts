import type { SiteCreation } from '@frontdesk/contracts'
import type { OutgoingEvent } from '@frontdesk/events'
import { problem } from '@frontdesk/problems'

export interface Organisation {
  slug: string
  name: string
  system: string
  pmsSpecificId: string
  /** How many sites that are not deleted it owns; with the last one it is deleted. */
  ownedSites: number
  /** How many events it has had. */
  version: number
  createdAt: Date
  deletedAt: Date | null
}

/** Who asks: what it may touch. */
export interface Caller {
  /** Codes of the practice management systems it has access to. */
  systems: readonly string[]
  /** Where present: the only organisations it may touch. */
  organisations?: readonly string[]
}

/** The organisations that a new site names; no owning one: a new organisation is made for it. */
export interface NamedOrganisations {
  owning: string | undefined
  billing: string | undefined
}

/**
 * Which existing organisations a new site is to belong to. A caller that is restricted to organisations and names
 * none gets its only one; with several (or none at all) it is refused with `organisation_required` (422).
 */
export function nameOrganisations(
  caller: Caller,
  request: Pick<SiteCreation, 'OwningOrganisationSlug' | 'BillingOrganisationSlug'>,
): NamedOrganisations {
  const billing = request.BillingOrganisationSlug
  if (request.OwningOrganisationSlug !== undefined || caller.organisations === undefined) {
    return { owning: request.OwningOrganisationSlug, billing }
  }
  const [only, ...others] = caller.organisations
  if (only === undefined || others.length > 0) {
    const errors = [{ pointer: '/OwningOrganisationSlug', detail: 'must name one of your organisations' }]
    throw problem('organisation_required', { errors })
  }
  return { owning: only, billing }
}

/**
 * The organisation of a slug, if a new site may use it: it exists, is not deleted, is of one of the caller's systems,
 * and among its organisations where it is restricted to some. Throws `organisation_unknown` (422) otherwise, the same
 * for each reason, so that nobody learns of the organisations of others.
 */
export function usableOrganisation(
  caller: Caller,
  organisations: readonly Organisation[],
  slug: string,
  pointer: string,
): Organisation {
  const found = organisations.find((organisation) => organisation.slug === slug)
  const isUsable =
    found !== undefined &&
    found.deletedAt === null &&
    caller.systems.includes(found.system) &&
    (caller.organisations === undefined || caller.organisations.includes(slug))
  if (isUsable) return found
  throw problem('organisation_unknown', { errors: [{ pointer, detail: 'is not an organisation of yours' }] })
}

/** A new organisation, which owns its first site. */
export function newOrganisation(made: { slug: string; name: string; system: string; now: Date }): Organisation {
  return {
    slug: made.slug,
    name: made.name,
    system: made.system,
    pmsSpecificId: made.slug,
    ownedSites: 1,
    version: 0,
    createdAt: made.now,
    deletedAt: null,
  }
}

/** The organisation after it has got one more site. */
export function withSiteMore(organisation: Organisation): Organisation {
  return { ...organisation, ownedSites: organisation.ownedSites + 1 }
}

/** The organisation after it has lost a site: with the last one it is deleted, and says so once. */
export function withSiteLess(
  organisation: Organisation,
  now: Date,
): { next: Organisation; events: OutgoingEvent<'organisation.deleted'>[] } {
  const ownedSites = organisation.ownedSites - 1
  if (ownedSites > 0) return { next: { ...organisation, ownedSites }, events: [] }
  const next = { ...organisation, ownedSites: 0, version: organisation.version + 1, deletedAt: now }
  const event: OutgoingEvent<'organisation.deleted'> = {
    type: 'organisation.deleted',
    aggregate: { type: 'organisation', id: next.slug, version: next.version },
    time: now,
    data: {
      version: next.version,
      organisationSlug: next.slug,
      name: next.name,
      practiceManagementSoftware: next.system,
      pmsSpecificOrganisationId: next.pmsSpecificId,
      deletedAt: now.toISOString(),
    },
  }
  return { next, events: [event] }
}
