import { hash } from 'node:crypto'
import type { PracticeSiteApiKeys } from '@frontdesk/contracts'
import type { KeyRing } from '@frontdesk/service/encryption'
import { randomBase62 } from '../random.ts'

export const keyKinds = ['Primary', 'Secondary'] as const
export type KeyKind = (typeof keyKinds)[number]

/** A site's API key as it is kept: the hash finds it, the sealed value shows it again. */
export interface SiteKey {
  siteId: string
  kind: KeyKind
  /** SHA-256 of the key. */
  hash: Buffer
  sealed: string
  /** The request that made it. */
  madeBy: string
}

/** A new key of a site: a prefix that tells people and secret scanners what it is, and 256 random bits. */
export function newSiteKey(ring: KeyRing, siteId: string, kind: KeyKind, madeBy: string): SiteKey {
  const key = `frontdesk_site_${randomBase62(43)}`
  return { siteId, kind, hash: keyHash(key), sealed: ring.seal(key, sealContext(siteId, kind)), madeBy }
}

/** The keys of a site in the clear. Throws where one is missing or cannot be opened. */
export function openSiteKeys(ring: KeyRing, keys: readonly SiteKey[]): PracticeSiteApiKeys {
  const open = (kind: KeyKind): string => {
    const key = keys.find((candidate) => candidate.kind === kind)
    if (key === undefined) throw new Error(`the site has no ${kind} key`)
    return ring.open(key.sealed, sealContext(key.siteId, kind))
  }
  return { PrimaryKey: open('Primary'), SecondaryKey: open('Secondary') }
}

export function keyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

const sealContext = (siteId: string, kind: KeyKind) => `site key ${siteId} ${kind}`
