import type { ServiceName, SiteAccess } from '@frontdesk/contracts'
import type { Principal, TokenIssuer } from '@frontdesk/service/tokens'
import type { Telemetry } from '../telemetry.ts'

/** Half of a token's life: what is sent is always good for another 30 s. */
const reusedMs = 30_000

interface Minted {
  token: Promise<string>
  until: number
}

/** No site, as a key beside sites. */
const noSite = {}

/**
 * Makes the source of internal tokens: one per principal, site and service, signed once and reused for 30 s. It hangs on
 * the very objects that tell the rights, so a token never outlives what it says, and is let go with them.
 */
export function createInternalTokens(issuer: TokenIssuer, telemetry: Telemetry) {
  const byPrincipal = new WeakMap<Principal, WeakMap<object, Map<ServiceName, Minted>>>()

  return function tokenFor(principal: Principal, site: SiteAccess | undefined, service: ServiceName): Promise<string> {
    let bySite = byPrincipal.get(principal)
    if (bySite === undefined) byPrincipal.set(principal, (bySite = new WeakMap()))
    let byService = bySite.get(site ?? noSite)
    if (byService === undefined) bySite.set(site ?? noSite, (byService = new Map<ServiceName, Minted>()))
    const known = byService.get(service)
    const now = performance.now()
    if (known !== undefined && known.until > now) return known.token
    const token = issuer.mint(service, site === undefined ? { principal } : { principal, site })
    byService.set(service, { token, until: now + reusedMs })
    telemetry.internalTokens.inc()
    return token
  }
}
