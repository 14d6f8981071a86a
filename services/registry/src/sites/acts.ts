import type { Act } from '@frontdesk/service/audit'
import type { Site } from './domain.ts'

/** Names a site, which management operations find only while they run. */
export function aboutSite(act: Act, { slug, owningOrganisation }: Pick<Site, 'slug' | 'owningOrganisation'>): void {
  act.about(`site:${slug}`, { slug, owningOrganisation })
}
