import { createPrivateKey, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { services, type ServiceName } from '@frontdesk/contracts'
import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import type { JSONWebKeySet, JWK } from 'jose'

/** The settings that name the files with keys for calls between services. */
export interface KeyFiles {
  /** The service's private Ed25519 keys: a JWK, or a JWK Set. The first one signs. */
  INTERNAL_KEY_FILE: string
  /** The public keys of all services: a JWK Set. Calls to a service are for the first key of it. */
  INTERNAL_JWKS_FILE: string
}

/** A key that two services have agreed on, for requests in one direction. */
export interface RequestKey {
  /** The `kid` of the caller's key and that of the called one's, with a slash between. */
  id: string
  key: KeyObject
}

/** The keys of one service, and what it knows of those of the others. */
export interface InternalKeys {
  /** The key that signs tokens. */
  signing: { kid: string; key: KeyObject }
  publicKeys: JSONWebKeySet
  /** Returns the key for requests to a service. Throws an Error if there is no public key of it. */
  requestKeyTo(service: ServiceName): RequestKey
  /** Returns the key of requests to this service, by its id; undefined if one of the two keys is not known. */
  requestKeyOf(id: string): KeyObject | undefined
}

/** Returns the private keys in the text of an `INTERNAL_KEY_FILE`. Throws an Error if one is not of this service. */
export function parsePrivateKeys(service: ServiceName, text: string): readonly JWK[] {
  const content = JSON.parse(text) as JWK | { keys: JWK[] }
  const keys = 'keys' in content && Array.isArray(content.keys) ? content.keys : [content as JWK]
  for (const { kid } of keys) if (ownerOf(kid) !== service) throw new Error(`${kid} is not a key of ${service}`)
  if (keys.length === 0) throw new Error('there is no key')
  return keys
}

/** Returns the public keys in the text of an `INTERNAL_JWKS_FILE`. */
export function parsePublicKeys(text: string): JSONWebKeySet {
  return JSON.parse(text) as JSONWebKeySet
}

/** Reads the keys of a service. Throws an Error if a file cannot be read or is not valid. */
export function readInternalKeys(service: ServiceName, files: KeyFiles): InternalKeys {
  const own = parsePrivateKeys(service, readFileSync(files.INTERNAL_KEY_FILE, 'utf8'))
  return internalKeys(own, parsePublicKeys(readFileSync(files.INTERNAL_JWKS_FILE, 'utf8')))
}

/** Makes the keys of a service out of its own, of which there is at least one, and the public ones of all. */
export function internalKeys(own: readonly JWK[], publicKeys: JSONWebKeySet): InternalKeys {
  const [first] = own
  if (first === undefined) throw new Error('there is no key')
  const toOthers = new Map<ServiceName, RequestKey>()
  const fromOthers = new Map<string, KeyObject>()

  return {
    signing: { kid: first.kid ?? '', key: createPrivateKey({ key: { ...first }, format: 'jwk' }) },
    publicKeys,
    requestKeyTo(service) {
      const known = toOthers.get(service)
      if (known !== undefined) return known
      const other = publicKeys.keys.find(({ kid }) => ownerOf(kid) === service)
      if (other === undefined) throw new Error(`INTERNAL_JWKS_FILE has no key of ${service}`)
      const id = `${first.kid}/${other.kid}`
      const made = { id, key: agreedKey(first, other, id) }
      toOthers.set(service, made)
      return made
    },
    requestKeyOf(id) {
      const known = fromOthers.get(id)
      if (known !== undefined) return known
      const [from, to] = id.split('/')
      const other = publicKeys.keys.find(({ kid }) => kid === from)
      const mine = own.find(({ kid }) => kid === to)
      if (other === undefined || mine === undefined) return undefined
      const key = agreedKey(mine, other, id)
      fromOthers.set(id, key)
      return key
    },
  }
}

/** Returns the service that a key belongs to: its `kid` starts with the service's name and a colon. */
export function ownerOf(kid: string | undefined): ServiceName | undefined {
  const name = kid?.split(':', 1)[0]
  return services.find((service) => service === name)
}

/**
 * Returns the HMAC key on which the owners of two keys agree without a message: X25519 (RFC 7748) with the same keys that sign, then HKDF
 * (RFC 5869). Each direction has a key of its own, since `id` names caller and called one.
 */
function agreedKey(own: JWK, other: JWK, id: string): KeyObject {
  const secret = x25519.getSharedSecret(
    ed25519.utils.toMontgomerySecret(bytesOf(own.d)),
    ed25519.utils.toMontgomery(bytesOf(other.x)),
  )
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `frontdesk internal request ${id}`, 32)))
}

const bytesOf = (member: string | undefined): Uint8Array => Buffer.from(member ?? '', 'base64url')
