import { randomUUID } from 'node:crypto'
import { scopes as allScopes, type Scope } from '@frontdesk/contracts'
import { SignJWT } from 'jose'
import type { Client } from './clients.ts'
import { OAuthError } from './oauth-error.ts'
import type { TokenKeys } from './token-keys.ts'

export const accessTokenSeconds = 15 * 60

/** Returns the scopes of a new token: those asked for, else all of the client's. Throws OAuthError if the client lacks one. */
export function grantedScopes(client: Client, asked: readonly string[] | undefined): readonly Scope[] {
  if (asked === undefined) return client.scopes
  const missing = asked.filter((scope) => !(client.scopes as readonly string[]).includes(scope))
  if (missing.length > 0) throw new OAuthError('invalid_scope', `The client has no scope ${missing.join(' ')}.`)
  return asked as Scope[]
}

/** Signs an access token (RFC 9068) for a client, valid for 15 minutes. `now` in milliseconds. */
export async function signAccessToken(
  keys: TokenKeys,
  publicUrl: string,
  client: Client,
  scopes: readonly Scope[],
  now: number,
): Promise<string> {
  const issuedAt = Math.floor(now / 1000)
  return new SignJWT({
    client_id: client.id,
    scope: scopes.join(' '),
    practice_management_software: client.practiceManagementSoftware,
    ...(client.organisations === undefined ? {} : { organisations: client.organisations }),
  })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: keys.signing.kid })
    .setIssuer(publicUrl)
    .setAudience(publicUrl)
    .setSubject(client.id)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessTokenSeconds)
    .sign(keys.signing.key)
}

/** Returns those of our scopes that are among these names. */
export function scopesOf(names: readonly string[]): readonly Scope[] {
  return allScopes.filter((scope) => names.includes(scope))
}
