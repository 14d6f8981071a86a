import { hash } from 'node:crypto'
import type { Scope, ServiceName, SiteAccess } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import { createLocalJWKSet, errors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { ownerOf, readInternalKeys, type InternalKeys, type KeyFiles } from './internal-keys.ts'
import {
  signatureSeconds,
  signRequest,
  verifySignature,
  type ArrivedRequest,
  type OutgoingRequest,
} from './request-signatures.ts'
import { rememberServed, type ServedRequests } from './served-requests.ts'

const lifetimeSeconds = 60
/**
 * How far the clocks of two services may be apart, in either direction: a token is accepted for that much longer than it
 * lives. A time of issue in the future refuses nothing.
 */
const toleranceSeconds = 90
const signatureValidSeconds = signatureSeconds + toleranceSeconds
/** Requests that change nothing may come again. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** The client or site that a request is made for. */
export interface Principal {
  /** `client:<id>`, `site:<slug>` for both keys of a site, or `service:<name>` for a service itself. */
  id: string
  /** Which key of a site the caller has; absent for all other callers. */
  siteKeyId?: string
  scopes: readonly Scope[]
  /** The practice management systems that the caller has access to. */
  practiceManagementSystems: readonly string[]
  /** The only organisations that the caller may touch; absent: all. */
  organisations?: readonly string[]
  /** The prefix of `source` under which the client may publish events. */
  eventSource?: string
  /** The client's registered address for webhook deliveries. */
  webhookUrl?: string
  /** Whether the platform gives back its fee with a refund that the client makes; absent: the default of payments. */
  refundsReturnFee?: boolean
}

/**
 * Returns the id of a site key: a UUID (version 8) made of the key's SHA-256, in hex, which it does not tell. So each key has
 * an id of its own, and whoever knows the key knows its id.
 */
export function siteKeyIdOf(keyHash: string): string {
  const hex = hash('sha256', `site key ${keyHash}`, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The claims of an internal token: the principal, and the site of a site-level operation. */
export interface InternalClaims {
  principal: Principal
  site?: SiteAccess
}

/** A verified internal token: its claims and the service that signed it. */
export interface VerifiedInternalToken extends InternalClaims {
  service: ServiceName
}

export interface TokenIssuer {
  readonly service: ServiceName
  /** Signs a token for one service (EdDSA), valid for 60 s. */
  mint(audience: ServiceName, claims: InternalClaims): Promise<string>
  /** Returns the headers of a request to a service, which have a token of `mint`, with the signature that binds the token to this request. */
  sign(audience: ServiceName, request: OutgoingRequest): Record<string, string>
}

/** Verifies token and signature of a request before its body is read. Removes headers that are not signed. */
export type TokenVerifier = (request: ArrivedRequest) => Promise<VerifiedInternalToken>

/** Opens the issuer of a service from its key files. Throws an Error if they are not valid. */
export function openTokenIssuer(service: ServiceName, files: KeyFiles, now?: () => number): TokenIssuer {
  return issuerWith(service, readInternalKeys(service, files), now)
}

/** Makes the issuer of a service from its keys. */
export function issuerWith(service: ServiceName, keys: InternalKeys, now: () => number = Date.now): TokenIssuer {
  const { kid, key } = keys.signing
  return {
    service,
    mint(audience, claims) {
      const issuedAt = Math.floor(now() / 1000)
      return new SignJWT({ principal: claims.principal, ...(claims.site && { site: factsFor(audience, claims.site) }) })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'internal+jwt', kid })
        .setIssuer(service)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(key)
    },
    sign: (audience, request) => signRequest(request, keys.requestKeyTo(audience), Math.floor(now() / 1000)),
  }
}

/**
 * Returns the facts of a site that a service needs. Its contact is for accounts alone, and its address for webhooks for
 * webhook-delivery: they would make every token longer.
 */
function factsFor(audience: ServiceName, site: SiteAccess): SiteAccess {
  const { emailAddress, phoneNumber, webhookUrl, ...facts } = site
  if (audience === 'webhook-delivery') return { ...facts, ...(webhookUrl === undefined ? {} : { webhookUrl }) }
  if (audience !== 'accounts') return facts
  return {
    ...facts,
    ...(emailAddress === undefined ? {} : { emailAddress }),
    ...(phoneNumber === undefined ? {} : { phoneNumber }),
  }
}

/** Opens the verifier of a service from its key files. Throws an Error if they are not valid. */
export function openTokenVerifier(audience: ServiceName, files: KeyFiles, now?: () => number): TokenVerifier {
  return verifierWith(audience, readInternalKeys(audience, files), now)
}

/** Makes the memory of a verifier, which must outlive a change of its keys. */
export const servedRequests = (): ServedRequests => rememberServed(signatureValidSeconds)

/**
 * Makes the verifier of a service from its keys. It caches verified tokens by their hash until they expire; signatures differ from
 * request to request, and a request that changes something is accepted once. It throws `unauthorized`.
 */
export function verifierWith(
  audience: ServiceName,
  keys: InternalKeys,
  now: () => number = Date.now,
  served: ServedRequests = servedRequests(),
): TokenVerifier {
  const tokenKeys = createLocalJWKSet(keys.publicKeys)
  const verified = new LRUCache<string, VerifiedInternalToken>({ max: 10_000, ttlResolution: 0 })

  async function verifyToken(authorization: string | undefined): Promise<VerifiedInternalToken> {
    const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : undefined
    if (token === undefined) throw problem('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })
    const id = hash('sha256', token, 'base64')
    const known = verified.get(id)
    if (known !== undefined) return known
    try {
      const { payload, protectedHeader } = await jwtVerify(token, tokenKeys, {
        algorithms: ['EdDSA'],
        typ: 'internal+jwt',
        audience,
        clockTolerance: toleranceSeconds,
        currentDate: new Date(now()),
      })
      const service = ownerOf(protectedHeader.kid)
      if (service === undefined || payload.iss !== service) throw new Error('the key is not a key of the issuer')
      const result: VerifiedInternalToken = {
        service,
        principal: payload['principal'] as Principal,
        ...(payload['site'] === undefined ? {} : { site: payload['site'] as SiteAccess }),
      }
      const ttl = ((payload.exp ?? 0) + toleranceSeconds) * 1000 - now()
      // A ttl of 0 would mean for ever.
      if (ttl > 0) verified.set(id, result, { ttl })
      return result
    } catch (error) {
      const headers = { 'www-authenticate': 'Bearer error="invalid_token"' }
      throw problem('unauthorized', { ...endedAgo(error, audience, now()), headers, cause: error })
    }
  }

  return async (request) => {
    const verifiedToken = await verifyToken(request.headers.authorization)
    try {
      const { keyId, created, nonce } = verifySignature(request, keys.requestKeyOf)
      if (ownerOf(keyId) !== verifiedToken.service) throw new Error('the signature is not of the service of the token')
      const seconds = Math.round(now() / 1000 - created)
      // A time in the future refuses nothing, as with tokens.
      if (seconds > signatureValidSeconds)
        throw new Error(`the request was signed ${seconds} s ago by the clock of ${audience}: compare the clocks`)
      if (!safeMethods.has(request.method) && !served.isNew(`${keyId} ${nonce}`, created, now() / 1000))
        throw new Error('it was served before')
      return verifiedToken
    } catch (error) {
      const detail = error instanceof Error ? `The internal request is refused: ${error.message}.` : undefined
      throw problem('unauthorized', { ...(detail === undefined ? {} : { detail }), cause: error })
    }
  }
}

/** Says how long ago a token ended. Our services never send one that has ended, so their clocks are too far apart. */
function endedAgo(error: unknown, audience: ServiceName, now: number): { detail?: string } {
  if (!(error instanceof errors.JWTExpired)) return {}
  const seconds = Math.round(now / 1000 - (error.payload.exp ?? 0))
  return { detail: `The internal token ended ${seconds} s ago by the clock of ${audience}: compare the clocks.` }
}
