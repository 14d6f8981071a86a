import { hash } from 'node:crypto'
import type { Scope } from '@frontdesk/contracts'
import { problem, type ProblemError } from '@frontdesk/problems'
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose'
import { invalidToken } from '../access/challenges.ts'
import type { MountedFile } from '../mounted-file.ts'
import { scopesOf } from './access-tokens.ts'
import type { ExternalIssuer, ExternalIssuers } from './external-issuers.ts'
import type { TokenKeys } from './token-keys.ts'

/** What a valid access token says. Where a member is absent, the token does not narrow the client's rights in it. */
export interface VerifiedToken {
  clientId: string
  /** The external issuer, where it is not one of ours. */
  issuer?: string
  scopes?: readonly Scope[]
  systems?: readonly string[]
  organisations?: readonly string[]
}

export interface TokenVerifierOptions {
  publicUrl: string
  keys: MountedFile<TokenKeys>
  issuers?: MountedFile<ExternalIssuers> | undefined
}

/** Most clients have a token or two at a time. */
const remembered = 10_000
const clockSkewSeconds = 5

/**
 * Opens the verifier of access tokens, ours (RFC 9068) and external ones. What was verified is remembered by the token's
 * hash until it expires or the keys change, and is the same object each time. The verifier throws `unauthorized`, and
 * `service_unavailable` where an external issuer's keys cannot be had.
 */
export function openAccessTokenVerifier(options: TokenVerifierOptions): (token: string) => Promise<VerifiedToken> {
  const verified = new Map<string, { token: VerifiedToken; expiresAt: number; under: unknown }>()
  const { publicUrl, keys, issuers } = options

  return async (token) => {
    const id = hash('sha256', token, 'base64')
    const known = verified.get(id)
    if (known !== undefined && known.expiresAt > Date.now()) {
      const trusted = known.token.issuer === undefined ? keys.current() : issuers?.current()
      if (known.under === trusted) return known.token
    }
    verified.delete(id)
    const { issuer, under } = trustOf(token)
    const payload =
      issuer === undefined ? await verifyOwn(token, keys.current(), publicUrl) : await verifyExternal(token, issuer)
    const answer = issuer === undefined ? ownToken(payload) : externalToken(payload, issuer)
    if (verified.size >= remembered) verified.delete(verified.keys().next().value ?? '')
    verified.set(id, { token: answer, expiresAt: (payload.exp ?? 0) * 1000, under })
    return answer
  }

  function trustOf(token: string): { issuer: ExternalIssuer | undefined; under: unknown } {
    const claimed = claimedIssuer(token)
    // Nobody speaks for us, whatever a file says.
    const issuer = claimed === publicUrl ? undefined : issuers?.current().get(claimed)
    return issuer === undefined ? { issuer, under: keys.current() } : { issuer, under: issuers?.current() }
  }
}

/** The issuer a token names, which is not proven by that. */
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

async function verifyExternal(token: string, { keys, issuer, audience }: ExternalIssuer): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ['EdDSA', 'ES256', 'ES384', 'PS256', 'RS256'],
      issuer,
      audience,
      clockTolerance: clockSkewSeconds,
      requiredClaims: ['exp'],
    })
    return payload
  } catch (error) {
    throw keysAreMissing(error) ? problem('service_unavailable', { retryAfter: 5, cause: error }) : refusal(error)
  }
}

/** Whether a failure is the issuer's key server, and says nothing of the token. */
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
    scopes: scopesOf(payload['scope']),
    systems: stringsOf(payload['practice_management_software']) ?? [],
    ...(organisations === undefined ? {} : { organisations }),
  }
}

/** A foreign token narrows the client's scopes only where it speaks of ours at all (`openid profile` does not). */
function externalToken(payload: JWTPayload, { issuer, clientClaim }: ExternalIssuer): VerifiedToken {
  const clientId = payload[clientClaim]
  if (typeof clientId !== 'string') throw invalidToken('It names no client.')
  const scopes = scopesOf(payload['scope'])
  return { clientId, issuer, ...(scopes.length === 0 ? {} : { scopes }) }
}

function stringsOf(claim: unknown): readonly string[] | undefined {
  return Array.isArray(claim) ? claim.filter((item) => typeof item === 'string') : undefined
}
