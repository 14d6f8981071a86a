import { randomUUID } from 'node:crypto'
import type { SiteAccess } from '@frontdesk/contracts'
import { composeEvent, eventSiteOf, type OutboxEvent } from '@frontdesk/events'

/**
 * Returns registry's event that a site was deleted, ready to publish or to set aside.
 *
 * @param publicUrl the gateway's address as clients see it, from which the event's source is made
 */
export function siteDeletedEvent(site: SiteAccess, publicUrl = 'https://frontdesk.example'): OutboxEvent {
  const now = new Date()
  return composeEvent(
    { service: 'registry', publicUrl },
    {
      type: 'site.deleted',
      aggregate: { type: 'site', id: randomUUID(), version: 2 },
      time: now,
      site: eventSiteOf(site),
      data: {
        version: 2,
        siteSlug: site.slug,
        name: site.name,
        practiceManagementSoftware: site.practiceManagementSystem,
        pmsSpecificSiteId: site.pmsSpecificId,
        owningOrganisationSlug: site.owningOrganisation,
        billingOrganisationSlug: site.billingOrganisation,
        siteStatus: site.status,
        deletedAt: now.toISOString(),
      },
    },
  )
}
