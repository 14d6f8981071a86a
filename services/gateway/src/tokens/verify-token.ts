import { hash } from 'node:crypto'
import type { Scope } from '@frontdesk/contracts'
import { problem, type ProblemError } from '@frontdesk/problems'
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { MountedFile } from '@frontdesk/service/mounted-files'
import { scopesOf } from './access-tokens.ts'
import { invalidToken } from './challenges.ts'
import type { ExternalIssuer, ExternalIssuers } from './external-issuers.ts'
import type { TokenKeys } from './token-keys.ts'

/** The claims of a valid access token. An absent member does not narrow the client's rights. */
export interface VerifiedToken {
  clientId: string
  /** The issuer of an external token; absent for our own. */
  issuer?: string
  scopes?: readonly Scope[]
  practiceManagementSystems?: readonly string[]
  organisations?: readonly string[]
}

export interface TokenVerifierDeps {
  publicUrl: string
  keys: MountedFile<TokenKeys>
  issuers?: MountedFile<ExternalIssuers> | undefined
}

/** Most clients use one or two tokens at a time. */
const maxVerified = 10_000
const clockSkewSeconds = 5

/**
 * Opens the verifier of access tokens, our own (RFC 9068) and external ones. It caches a verified token by its hash until
 * the token expires or the keys change, and returns the same object each time. It throws `unauthorized`, and
 * `service_unavailable` if an external issuer's keys cannot be fetched.
 */
export function openAccessTokenVerifier(deps: TokenVerifierDeps): (token: string) => Promise<VerifiedToken> {
  const verified = new LRUCache<string, { token: VerifiedToken; under: unknown }>({
    max: maxVerified,
    ttlResolution: 0,
  })
  const { publicUrl, keys, issuers } = deps

  return async (token) => {
    const id = hash('sha256', token, 'base64')
    const known = verified.get(id)
    if (known !== undefined) {
      const trusted = known.token.issuer === undefined ? keys.current() : issuers?.current()
      if (known.under === trusted) return known.token
    }
    const { issuer, under } = trustOf(token)
    const payload =
      issuer === undefined ? await verifyOwn(token, keys.current(), publicUrl) : await verifyExternal(token, issuer)
    const answer = issuer === undefined ? ownToken(payload) : externalToken(payload, issuer)
    const ttl = (payload.exp ?? 0) * 1000 - Date.now()
    // A token may be a little past its end, and a ttl of 0 would mean for ever.
    if (ttl > 0) verified.set(id, { token: answer, under }, { ttl })
    return answer
  }

  function trustOf(token: string): { issuer: ExternalIssuer | undefined; under: unknown } {
    const claimed = claimedIssuer(token)
    // No external issuer may issue tokens in our name, whatever the file says.
    const issuer = claimed === publicUrl ? undefined : issuers?.current().get(claimed)
    return issuer === undefined ? { issuer, under: keys.current() } : { issuer, under: issuers?.current() }
  }
}

/** Returns the issuer that a token claims, not verified. */
function claimedIssuer(token: string): string {
  try {
    return decodeJwt(token).iss ?? ''
  } catch (error) {
    throw invalidToken('It is not a JSON Web Token.', error)
  }
}

async function verifyOwn(token: string, keys: TokenKeys, publicUrl: string): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = keys.verification.get(kid ?? '')
        if (key === undefined) throw new errors.JWKSNoMatchingKey()
        return key
      },
      {
        algorithms: ['EdDSA'],
        typ: 'at+jwt',
        issuer: publicUrl,
        audience: publicUrl,
        clockTolerance: clockSkewSeconds,
        requiredClaims: ['exp', 'iat', 'sub', 'jti', 'client_id'],
      },
    )
    return payload
  } catch (error) {
    throw refusal(error)
  }
}

async function verifyExternal(token: string, trusted: ExternalIssuer): Promise<JWTPayload> {
  const { keys, issuer, audience, tokenType, longestLifeSeconds } = trusted
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ['EdDSA', 'ES256', 'ES384', 'PS256', 'RS256'],
      issuer,
      audience,
      typ: tokenType,
      clockTolerance: clockSkewSeconds,
      // With it, a token from the future is refused, too.
      maxTokenAge: longestLifeSeconds,
      requiredClaims: ['exp', 'iat'],
    })
    const { iat = 0, exp = Infinity } = payload
    if (exp - iat > longestLifeSeconds) throw new errors.JWTInvalid(`it lives longer than ${longestLifeSeconds} s`)
    return payload
  } catch (error) {
    throw keysAreMissing(error) ? problem('service_unavailable', { retryAfter: 5, cause: error }) : refusal(error)
  }
}

/** Whether the issuer's keys could not be fetched, so that the token may still be valid. */
function keysAreMissing(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true
  return error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || error.code === 'ERR_JOSE_GENERIC'
}

function refusal(error: unknown): ProblemError {
  return invalidToken(error instanceof errors.JWTExpired ? 'It has expired.' : 'It is not a valid access token.', error)
}

function ownToken(payload: JWTPayload): VerifiedToken {
  const organisations = stringsOf(payload['organisations'])
  return {
    clientId: String(payload['client_id']),
    scopes: scopesOf(typeof payload['scope'] === 'string' ? payload['scope'].split(' ') : []),
    practiceManagementSystems: stringsOf(payload['practice_management_software']) ?? [],
    ...(organisations === undefined ? {} : { organisations }),
  }
}

/**
 * Returns an external token with exactly the scopes of ours that it names. One that has neither `scope` nor `scp` has its client's:
 * some issuers give their clients no scopes, and the clients file says what the client may do.
 */
function externalToken(payload: JWTPayload, { issuer, clientClaim }: ExternalIssuer): VerifiedToken {
  const clientId = payload[clientClaim]
  if (typeof clientId !== 'string') throw invalidToken('It names no client.')
  const { scope, scp } = payload
  if (scope === undefined && scp === undefined) return { clientId, issuer }
  if (scope !== undefined && typeof scope !== 'string') throw invalidToken('Its scope is not text.')
  const lists = [scope, scp].flatMap((claim) => (claim === undefined ? [] : [namesOf(claim)]))
  return {
    clientId,
    issuer,
    scopes: scopesOf(lists.reduce((one, other) => one.filter((name) => other.includes(name)))),
  }
}

/** Returns the scopes of a claim that is text with spaces (RFC 9068) or a list. Throws for any other form. */
function namesOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return claim.split(' ')
  if (Array.isArray(claim) && claim.every((item) => typeof item === 'string')) return claim
  throw invalidToken('Its scopes are neither text nor a list of texts.')
}

function stringsOf(claim: unknown): readonly string[] | undefined {
  return Array.isArray(claim) ? claim.filter((item) => typeof item === 'string') : undefined
}
