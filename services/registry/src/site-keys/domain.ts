import { hash } from 'node:crypto'
import type { PracticeSiteApiKeys } from '@frontdesk/contracts'
import type { KeyRing } from '@frontdesk/service/encryption'
import { siteKeyIdOf } from '@frontdesk/service/tokens'
import { randomBase62 } from '../random.ts'

export const keyKinds = ['Primary', 'Secondary'] as const
export type KeyKind = (typeof keyKinds)[number]

/** A site's API key as stored: the hash finds the site, the encrypted value shows the key again. */
export interface SiteKey {
  siteId: string
  kind: KeyKind
  /** SHA-256 of the key. */
  hash: Buffer
  encrypted: string
  /** Id of the request that made it. */
  madeBy: string
}

/** Makes a key of a site: a prefix by which people and secret scanners recognise it, and 256 random bits. */
export function newSiteKey(ring: KeyRing, siteId: string, kind: KeyKind, madeBy: string): SiteKey {
  const key = `frontdesk_site_${randomBase62(43)}`
  return { siteId, kind, hash: keyHash(key), encrypted: ring.encrypt(key, contextOf(siteId, kind)), madeBy }
}

/** Returns the keys of a site in the clear. Throws if one is missing or cannot be decrypted. */
export function openSiteKeys(ring: KeyRing, keys: readonly SiteKey[]): PracticeSiteApiKeys {
  const open = (kind: KeyKind): string => {
    const key = keys.find((candidate) => candidate.kind === kind)
    if (key === undefined) throw new Error(`the site has no ${kind} key`)
    return ring.decrypt(key.encrypted, contextOf(key.siteId, kind))
  }
  return { PrimaryKey: open('Primary'), SecondaryKey: open('Secondary') }
}

/** Returns the id of a stored key, which principals and events name. */
export const idOf = (key: Pick<SiteKey, 'hash'>) => siteKeyIdOf(key.hash.toString('hex'))

export function keyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** Binds an encrypted key to its site and kind. */
export const contextOf = (siteId: string, kind: string) => `site key ${siteId} ${kind}`
