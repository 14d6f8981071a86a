import type { DeletedOrganisation, Identity, SiteAccess, SiteListItem } from '@frontdesk/contracts'
import type { Organisation } from '../organisations/domain.ts'
import type { Site } from './domain.ts'

/** Returns a site's identity, as the interface shows it. */
export function toIdentity(site: Site): Identity {
  return {
    Name: site.name,
    PracticeManagementSoftware: site.practiceManagementSystem,
    PmsSpecificSiteId: site.pmsSpecificId,
    SiteSlug: site.slug,
    OwningOrganisationSlug: site.owningOrganisation,
    BillingOrganisationSlug: site.billingOrganisation,
  }
}

/** Returns a site as lists show it; members without a value are absent. */
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
    ...(site.webhookUrl === null ? {} : { WebhookUrl: site.webhookUrl }),
    SiteStatus: site.status,
  }
}

/** Returns an organisation that was deleted with its last site, as the interface shows it. */
export function toDeletedOrganisation(organisation: Organisation): DeletedOrganisation {
  return {
    Name: organisation.name,
    PracticeManagementSoftware: organisation.practiceManagementSystem,
    PmsSpecificOrganisationId: organisation.pmsSpecificId,
    OrganisationSlug: organisation.slug,
  }
}

/**
 * Returns the part of a site by which the gateway admits requests, and services work. A site without an address is in the
 * country of its postal address.
 */
export function toSiteAccess(site: Site): SiteAccess {
  const country = site.address?.Country ?? site.postalAddress?.Country
  return {
    slug: site.slug,
    name: site.name,
    practiceManagementSystem: site.practiceManagementSystem,
    pmsSpecificId: site.pmsSpecificId,
    owningOrganisation: site.owningOrganisation,
    billingOrganisation: site.billingOrganisation,
    status: site.status,
    ...(site.currency === null ? {} : { currency: site.currency }),
    ...(country === undefined ? {} : { country }),
    ...(site.emailAddress === null ? {} : { emailAddress: site.emailAddress }),
    ...(site.phoneNumber === null ? {} : { phoneNumber: site.phoneNumber }),
    ...(site.webhookUrl === null ? {} : { webhookUrl: site.webhookUrl }),
  }
}
