import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { Default } from 'typebox/value'
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'

const Entry = Type.Object(
  {
    /** The `iss` of its tokens. */
    issuer: Type.String({ pattern: '^https://' }),
    /** Where its keys are. Whoever can change what is read from there can issue tokens. */
    jwksUri: Type.String({ pattern: '^https?://' }),
    /** The name that the issuer has for us; `aud` must hold it. */
    audience: Type.String({ minLength: 1 }),
    /** The claim that names a client of the clients file, such as `azp` or `client_id`. */
    clientClaim: Type.String({ minLength: 1 }),
    /** The `typ` of its access tokens; absent: that of RFC 9068. Others are also those of ID tokens. */
    tokenType: Type.String({ minLength: 1, default: 'at+jwt' }),
    /** How long a token may live from `iat` to `exp`; absent: a day. */
    longestLifeSeconds: Type.Integer({ minimum: 1, default: 86_400 }),
  },
  { additionalProperties: false },
)
const file = Type.Array(Entry)
const issuersFile = Compile(file)

/** An issuer besides our own. Its tokens are accepted for the clients that name it, with their rights. */
export interface ExternalIssuer extends Static<typeof Entry> {
  keys: JWTVerifyGetKey
}

export type ExternalIssuers = ReadonlyMap<string, ExternalIssuer>

/**
 * Parses the file of external issuers: `[{ issuer, jwksUri, audience, clientClaim, tokenType?, longestLifeSeconds? }]`. Throws if it
 * is not one, or fetches keys in the clear; in development it may do so from this machine.
 */
export function parseExternalIssuers(text: string, mode: string | undefined): ExternalIssuers {
  const value: unknown = Default(file, JSON.parse(text))
  if (!issuersFile.Check(value)) {
    const faults = issuersFile.Errors(value).map((fault) => `${fault.instancePath} ${fault.message}`)
    throw new TypeError(`not a file of issuers: ${faults.join('; ')}`)
  }
  for (const { issuer, jwksUri } of value) {
    if (!isSafe(new URL(jwksUri), mode)) throw new TypeError(`the keys of ${issuer} must be fetched by https`)
  }
  return new Map(value.map((entry) => [entry.issuer, { ...entry, keys: remoteKeys(entry.jwksUri) }]))
}

function isSafe({ protocol, hostname }: URL, mode: string | undefined): boolean {
  return protocol === 'https:' || (mode === 'development' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname))
}

/** Fetches the keys when they are first needed and for an unknown kid, at most every 30 s. Keeps them for 10 minutes. */
function remoteKeys(jwksUri: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwksUri), {
    timeoutDuration: 3_000,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
  })
}
