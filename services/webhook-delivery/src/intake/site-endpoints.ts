import { LRUCache } from 'lru-cache'
import type { IncomingEvent } from './incoming.ts'

const mostSites = 20_000

/** The endpoints that events of a site went to lately. */
export interface SiteEndpoints {
  /** Endpoints that events like these went to: a hint, since subscriptions come and go. */
  of(events: readonly IncomingEvent[]): Set<bigint>
  add(event: IncomingEvent, endpointId: bigint): void
}

/**
 * Remembers which endpoints the events of a site went to, so that a batch asks for the state of those endpoints only, however
 * many others there are.
 */
export function createSiteEndpoints(): SiteEndpoints {
  const sites = new LRUCache<string, Set<bigint>>({ max: mostSites })
  return {
    of(events) {
      const found = new Set<bigint>()
      for (const slug of new Set(events.map((event) => event.siteSlug))) {
        for (const id of (slug === undefined ? undefined : sites.get(slug)) ?? []) found.add(id)
      }
      return found
    },
    add({ siteSlug }, endpointId) {
      if (siteSlug === undefined) return
      const known = sites.get(siteSlug)
      if (known === undefined) sites.set(siteSlug, new Set([endpointId]))
      else known.add(endpointId)
    },
  }
}
