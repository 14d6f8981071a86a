import type { ServiceName } from '@frontdesk/contracts'
import type { InternalClaims, TokenIssuer } from '../tokens/internal-tokens.ts'

/** Half of a token's life: the service always gets a token that is valid for another 30 s. */
const reusedMs = 30_000

interface Signed {
  token: Promise<string>
  until: number
}

/** Stands for the site in claims without a site. */
const noSite = {}

/**
 * Returns a function that signs an internal token for one service and returns the same token for 30 s. The cache keys
 * are the principal and site objects themselves, so a token is forgotten together with the rights it was signed for.
 */
export function createTokenCache(issuer: TokenIssuer, audience: ServiceName) {
  const byPrincipal = new WeakMap<object, WeakMap<object, Signed>>()

  return function tokenFor(claims: InternalClaims): Promise<string> {
    const { principal, site = noSite } = claims
    let bySite = byPrincipal.get(principal)
    if (bySite === undefined) byPrincipal.set(principal, (bySite = new WeakMap()))
    const known = bySite.get(site)
    const now = performance.now()
    if (known !== undefined && known.until > now) return known.token
    const token = issuer.mint(audience, claims)
    bySite.set(site, { token, until: now + reusedMs })
    return token
  }
}
