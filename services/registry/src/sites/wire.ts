import type { DeletedOrganisation, Identity, SiteAccess, SiteListItem } from '@frontdesk/contracts'
import type { Organisation } from '../organisations/domain.ts'
import type { Site } from './domain.ts'

/** A site's identity (interface, "Site identity"). */
export function toIdentity(site: Site): Identity {
  return {
    Name: site.name,
    PracticeManagementSoftware: site.system,
    PmsSpecificSiteId: site.pmsSpecificId,
    SiteSlug: site.slug,
    OwningOrganisationSlug: site.owningOrganisation,
    BillingOrganisationSlug: site.billingOrganisation,
  }
}

/** A site as lists show it (interface, "Site list item"); members without a value are absent. */
export function toListItem(site: Site): SiteListItem {
  return {
    ...toIdentity(site),
    ...(site.address === null ? {} : { Address: site.address }),
    ...(site.postalAddress === null ? {} : { PostalAddress: site.postalAddress }),
    ...(site.coordinates === null ? {} : { Coordinates: site.coordinates }),
    ...(site.phoneNumber === null ? {} : { PhoneNumber: site.phoneNumber }),
    ...(site.emailAddress === null ? {} : { EmailAddress: site.emailAddress }),
    ...(site.applicationVersion === null ? {} : { ApplicationVersion: site.applicationVersion }),
    ...(site.currency === null ? {} : { Currency: site.currency }),
    ...(site.mapPlaceId === null ? {} : { MapPlaceId: site.mapPlaceId }),
    SiteStatus: site.status,
  }
}

/** An organisation that was deleted along with a site (interface, "Deleted organisation"). */
export function toDeletedOrganisation(organisation: Organisation): DeletedOrganisation {
  return {
    Name: organisation.name,
    PracticeManagementSoftware: organisation.system,
    PmsSpecificOrganisationId: organisation.pmsSpecificId,
    OrganisationSlug: organisation.slug,
  }
}

/** What the gateway must know of a site. */
export function toSiteAccess(site: Site): SiteAccess {
  return {
    slug: site.slug,
    name: site.name,
    system: site.system,
    pmsSpecificId: site.pmsSpecificId,
    owningOrganisation: site.owningOrganisation,
    billingOrganisation: site.billingOrganisation,
    status: site.status,
    ...(site.currency === null ? {} : { currency: site.currency }),
  }
}
