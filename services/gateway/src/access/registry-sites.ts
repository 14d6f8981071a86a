import type { SiteAccess } from '@frontdesk/contracts'
import { problem, ProblemError } from '@frontdesk/problems'
import type { InternalClient } from '@frontdesk/service/calls'
import type { Telemetry } from '../telemetry.ts'
import { createSites, type Sites } from './sites.ts'

/** The cache of sites over registry's internal operations. */
export function createRegistrySites(internal: InternalClient, telemetry: Telemetry): Sites {
  return createSites({
    askBySlug: (slug) => foundOrNot(internal.call('resolveSite', { SiteSlug: slug })),
    askByKeyHash: (keyHash) => foundOrNot(internal.call('resolveSiteKey', { KeyHash: keyHash })),
    onLookup: (outcome) => telemetry.siteLookups.inc({ outcome }),
    onStale: () => telemetry.staleSites.inc(),
  })
}

async function foundOrNot(answer: Promise<SiteAccess>): Promise<SiteAccess | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return undefined
    if (error instanceof ProblemError && error.status >= 500) throw error
    // Registry refuses us, not the caller: that is a fault of ours.
    throw problem('upstream_failed', { cause: error })
  }
}
