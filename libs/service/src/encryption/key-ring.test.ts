import { expect, test } from 'vitest'
import { createKeyRing } from './key-ring.ts'

const old = Buffer.alloc(32, 1)
const fresh = Buffer.alloc(32, 2)
const ring = createKeyRing(
  'fresh',
  new Map([
    ['old', old],
    ['fresh', fresh],
  ]),
)
const oldRing = createKeyRing('old', new Map([['old', old]]))

test('a value that an old key encrypted or signed can be read after the rotation', () => {
  expect(ring.decrypt(oldRing.encrypt('secret', 'row 1'), 'row 1')).toBe('secret')
  expect(ring.isSigned('text', oldRing.sign('text', 'links'), 'links')).toBe(true)
})

test('an encrypted value cannot be read in another row, after a change, or without its key', () => {
  const encrypted = ring.encrypt('secret', 'row 1')
  expect(() => ring.decrypt(encrypted, 'row 2')).toThrow()
  const [id, encoded = ''] = encrypted.split('.')
  const changed = Buffer.from(encoded, 'base64url').map((byte, index) => (index === 20 ? byte ^ 1 : byte))
  expect(() => ring.decrypt(`${id}.${Buffer.from(changed).toString('base64url')}`, 'row 1')).toThrow()
  expect(() => oldRing.decrypt(encrypted, 'row 1')).toThrow(/not in the ring/)
})

test('a value with a shortened authentication tag cannot be read', () => {
  const [id, encoded = ''] = ring.encrypt('', 'row 1').split('.')
  const bytes = Buffer.from(encoded, 'base64url')
  // The body is empty, so the value ends with the tag: nonce of 12 bytes, 4 of the 16 bytes of the tag.
  const shortened = `${id}.${bytes.subarray(0, 16).toString('base64url')}`
  expect(() => ring.decrypt(shortened, 'row 1')).toThrow(/tag/i)
})

test('a signature is valid for its text and purpose only', () => {
  const signature = ring.sign('text', 'links')
  expect(ring.isSigned('text', signature, 'links')).toBe(true)
  expect(ring.isSigned('text', signature, 'page token')).toBe(false)
  expect(ring.isSigned('other', signature, 'links')).toBe(false)
  expect(ring.isSigned('text', '', 'links')).toBe(false)
})
