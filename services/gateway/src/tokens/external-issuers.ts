import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'

const Entry = Type.Object(
  {
    /** The `iss` of its tokens. */
    issuer: Type.String({ pattern: '^https?://' }),
    jwksUri: Type.String({ pattern: '^https?://' }),
    /** The name that the issuer has for us; `aud` must hold it. */
    audience: Type.String({ minLength: 1 }),
    /** The claim that names a client of the clients file, such as `azp` or `client_id`. */
    clientClaim: Type.String({ minLength: 1 }),
  },
  { additionalProperties: false },
)
const issuersFile = Compile(Type.Array(Entry))

/** An issuer besides our own. Its tokens are accepted for the clients that name it, with their rights. */
export interface ExternalIssuer extends Static<typeof Entry> {
  keys: JWTVerifyGetKey
}

export type ExternalIssuers = ReadonlyMap<string, ExternalIssuer>

/** Parses the file of external issuers: `[{ issuer, jwksUri, audience, clientClaim }]`. Throws if it is not one. */
export function parseExternalIssuers(text: string): ExternalIssuers {
  const value: unknown = JSON.parse(text)
  if (!issuersFile.Check(value)) {
    const faults = issuersFile.Errors(value).map((fault) => `${fault.instancePath} ${fault.message}`)
    throw new TypeError(`not a file of issuers: ${faults.join('; ')}`)
  }
  return new Map(value.map((entry) => [entry.issuer, { ...entry, keys: remoteKeys(entry.jwksUri) }]))
}

/** Fetches the keys when they are first needed and for an unknown kid, at most every 30 s. Keeps them for 10 minutes. */
function remoteKeys(jwksUri: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwksUri), {
    timeoutDuration: 3_000,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
  })
}
