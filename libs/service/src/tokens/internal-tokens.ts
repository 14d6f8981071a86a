import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { services, type Scope, type ServiceName, type SiteAccess } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import { createLocalJWKSet, importJWK, jwtVerify, SignJWT, type CryptoKey, type JSONWebKeySet, type JWK } from 'jose'

const lifetimeSeconds = 60

/** Who is behind a request. */
export interface Principal {
  /** `client:<id>` or `site:<slug>`, whichever of the site's keys was used (design section 5). */
  id: string
  scopes: readonly Scope[]
  /** The practice management systems the caller has access to. */
  systems: readonly string[]
  /** Where present: the only organisations the caller may touch. */
  organisations?: readonly string[]
  /** The prefix of `source` under which the client may publish events. */
  eventSource?: string
  /** The client's registered address for deliveries. */
  webhookUrl?: string
}

/** What an internal token says: who called, and for site-level operations the site. */
export interface InternalClaims {
  principal: Principal
  site?: SiteAccess
}

/** A verified internal token: its claims and the service that signed it. */
export interface InternalCaller extends InternalClaims {
  service: ServiceName
}

export interface TokenIssuer {
  readonly service: ServiceName
  /** Signs a token of 60 s for one service (EdDSA). */
  mint(audience: ServiceName, claims: InternalClaims): Promise<string>
}

export type TokenVerifier = (authorization: string | undefined) => Promise<InternalCaller>

/** Opens the issuer of a service from its private JWK file; the key's `kid` starts with the service's name and a colon. */
export async function openTokenIssuer(service: ServiceName, keyFile: string): Promise<TokenIssuer> {
  const jwk = JSON.parse(readFileSync(keyFile, 'utf8')) as JWK
  if (issuerOf(jwk.kid) !== service) throw new Error(`${keyFile} is not a key of ${service}`)
  const key = (await importJWK(jwk, 'EdDSA')) as CryptoKey
  return {
    service,
    mint: (audience, claims) =>
      new SignJWT({ principal: claims.principal, ...(claims.site === undefined ? {} : { site: claims.site }) })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'internal+jwt', kid: jwk.kid ?? '' })
        .setIssuer(service)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(`${lifetimeSeconds}s`)
        .sign(key),
  }
}

/**
 * Opens the verifier of a service from the mounted public keys of all services. Verified tokens are cached by hash
 * until they expire. The verifier throws `unauthorized`.
 */
export function openTokenVerifier(audience: ServiceName, jwksFile: string): TokenVerifier {
  const keys = createLocalJWKSet(JSON.parse(readFileSync(jwksFile, 'utf8')) as JSONWebKeySet)
  const verified = new Map<string, { caller: InternalCaller; expiresAt: number }>()

  return async (authorization) => {
    const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : undefined
    if (token === undefined) throw problem('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })
    const id = hash('sha256', token, 'base64')
    const known = verified.get(id)
    if (known !== undefined && known.expiresAt > Date.now()) return known.caller
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        algorithms: ['EdDSA'],
        typ: 'internal+jwt',
        audience,
        clockTolerance: 5,
      })
      const service = issuerOf(protectedHeader.kid)
      if (service === undefined || payload.iss !== service) throw new Error('the key is not the issuer’s')
      const caller: InternalCaller = {
        service,
        principal: payload['principal'] as Principal,
        ...(payload['site'] === undefined ? {} : { site: payload['site'] as SiteAccess }),
      }
      if (verified.size >= 10_000) verified.clear()
      verified.set(id, { caller, expiresAt: (payload.exp ?? 0) * 1000 })
      return caller
    } catch (error) {
      throw problem('unauthorized', { headers: { 'www-authenticate': 'Bearer error="invalid_token"' }, cause: error })
    }
  }
}

function issuerOf(kid: string | undefined): ServiceName | undefined {
  const name = kid?.split(':', 1)[0]
  return services.find((service) => service === name)
}
