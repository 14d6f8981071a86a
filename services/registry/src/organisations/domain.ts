import type { SiteCreation } from '@frontdesk/contracts'
import type { OutgoingEvent } from '@frontdesk/events'
import { problem } from '@frontdesk/problems'
import type { Principal } from '@frontdesk/service/tokens'

export interface Organisation {
  slug: string
  name: string
  practiceManagementSystem: string
  pmsSpecificId: string
  /** Number of its sites that are not deleted; it is deleted with the last one. */
  ownedSites: number
  /** Number of its events. */
  version: number
  createdAt: Date
  deletedAt: Date | null
}

/** What a caller may access. */
export type Caller = Pick<Principal, 'practiceManagementSystems' | 'organisations'>

/** The organisations that a new site names. Without an owning one, a new organisation is created for it. */
export interface NamedOrganisations {
  owning: string | undefined
  billing: string | undefined
}

/**
 * Returns the existing organisations that a new site is to belong to. A caller that is restricted to one organisation
 * need not name it. Throws `organisation_required` (422) if one restricted to several, or to none, names no owning one.
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
 * Returns the organisation of a slug if a new site may use it: it exists, is not deleted, belongs to one of the caller's
 * systems, and is one of its organisations if the caller is restricted. Throws the same `organisation_unknown` (422) for
 * every other reason, so that no caller learns of the organisations of others.
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
    caller.practiceManagementSystems.includes(found.practiceManagementSystem) &&
    (caller.organisations === undefined || caller.organisations.includes(slug))
  if (isUsable) return found
  throw problem('organisation_unknown', { errors: [{ pointer, detail: 'is not an organisation of yours' }] })
}

/** Returns a new organisation, which owns its first site. */
export function newOrganisation(made: {
  slug: string
  name: string
  practiceManagementSystem: string
  now: Date
}): Organisation {
  return {
    slug: made.slug,
    name: made.name,
    practiceManagementSystem: made.practiceManagementSystem,
    pmsSpecificId: made.slug,
    ownedSites: 1,
    version: 0,
    createdAt: made.now,
    deletedAt: null,
  }
}

/** Returns the organisation with one more site. */
export function withSiteMore(organisation: Organisation): Organisation {
  return { ...organisation, ownedSites: organisation.ownedSites + 1 }
}

/** Returns the organisation with one site less. Without sites it is deleted, which is its only event. */
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
      practiceManagementSoftware: next.practiceManagementSystem,
      pmsSpecificOrganisationId: next.pmsSpecificId,
      deletedAt: now.toISOString(),
    },
  }
  return { next, events: [event] }
}
