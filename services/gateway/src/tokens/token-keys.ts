import { importJWK, type CryptoKey, type JWK } from 'jose'

/** The keys of access tokens: the first one signs, all verify and are published. */
export interface TokenKeys {
  signing: { kid: string; key: CryptoKey }
  /** By `kid`. */
  verification: ReadonlyMap<string, CryptoKey>
  /** The public JWKS. */
  published: { keys: JWK[] }
}

/** Parses a JWKS of private Ed25519 keys, each with a `kid`. Throws if it is not one. */
export async function parseTokenKeys(text: string): Promise<TokenKeys> {
  const { keys = [] } = JSON.parse(text) as { keys?: JWK[] }
  const parsed = await Promise.all(keys.map(parseKey))
  const [first] = parsed
  if (first === undefined) throw new TypeError('there is no key for access tokens')
  const verification = new Map(parsed.map(({ kid, publicKey }) => [kid, publicKey]))
  if (verification.size !== parsed.length) throw new TypeError('two keys for access tokens have the same kid')
  return {
    signing: { kid: first.kid, key: first.privateKey },
    verification,
    published: { keys: parsed.map(({ published }) => published) },
  }
}

async function parseKey(jwk: JWK) {
  const { kid, kty, crv, x, d } = jwk
  if (kid === undefined || kty !== 'OKP' || crv !== 'Ed25519' || x === undefined || d === undefined) {
    throw new TypeError('a key for access tokens is a private Ed25519 JWK with a kid')
  }
  // Listed one by one, so that no private member can be published.
  const published: JWK = { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' }
  return {
    kid,
    published,
    privateKey: (await importJWK({ kty, crv, x, d }, 'EdDSA')) as CryptoKey,
    publicKey: (await importJWK({ kty, crv, x }, 'EdDSA')) as CryptoKey,
  }
}
