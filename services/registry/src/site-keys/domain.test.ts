import { createKeyRing } from '@frontdesk/service/encryption'
import { expect, test } from 'vitest'
import { keyHash, newSiteKey, openSiteKeys } from './domain.ts'

const ring = createKeyRing('k1', new Map([['k1', Buffer.alloc(32, 1)]]))
const siteId = '0192f0c0-0000-7000-8000-000000000001'
const primary = newSiteKey(ring, siteId, 'Primary', siteId)
const secondary = newSiteKey(ring, siteId, 'Secondary', siteId)

test('a decrypted key has the hash under which it is stored', () => {
  const keys = openSiteKeys(ring, [secondary, primary])
  expect(keys.PrimaryKey).toMatch(/^frontdesk_site_[a-zA-Z0-9]{43}$/)
  expect(keyHash(keys.PrimaryKey)).toEqual(primary.hash)
  expect(keyHash(keys.SecondaryKey)).toEqual(secondary.hash)
})

test('a key that was moved to another site or kind cannot be decrypted', () => {
  const moved = { ...primary, siteId: siteId.replace(/1$/, '2') }
  expect(() => openSiteKeys(ring, [moved, secondary])).toThrow()
  expect(() => openSiteKeys(ring, [{ ...secondary, kind: 'Primary' }, secondary])).toThrow()
})
