import type { SiteAccess } from '@frontdesk/contracts'
import { problem, ProblemError } from '@frontdesk/problems'
import type { InternalClient } from '@frontdesk/service/calls'
import type { GatewayMetrics } from '../metrics.ts'
import { createSites, type Sites } from './sites.ts'

/** Makes the cache of sites over registry's internal operations. */
export function createRegistrySites(internal: InternalClient, metrics: GatewayMetrics): Sites {
  return createSites({
    askBySlug: (slug) => foundOrNot(internal.call('resolveSite', { SiteSlug: slug })),
    askByKeyHash: (keyHash) => foundOrNot(internal.call('resolveSiteKey', { KeyHash: keyHash })),
    onLookup: (outcome) => metrics.siteLookups.inc({ outcome }),
    onStale: () => metrics.staleSites.inc(),
  })
}

async function foundOrNot(answer: Promise<SiteAccess>): Promise<SiteAccess | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return undefined
    if (error instanceof ProblemError && error.status >= 500) throw error
    // Registry refuses our request, not the caller's.
    throw problem('upstream_failed', { cause: error })
  }
}
