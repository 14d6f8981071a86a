import { expect, test } from 'vitest'
import { createKeyRing } from './key-ring.ts'
import { pagePosition, pageToken } from '../paging/page-token.ts'

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

test('what an old key has sealed or signed is read after the rotation', () => {
  expect(ring.open(oldRing.seal('secret', 'row 1'), 'row 1')).toBe('secret')
  expect(ring.isSigned('text', oldRing.sign('text', 'links'), 'links')).toBe(true)
})

test('a sealed value is of no use in another row, changed, or without its key', () => {
  const sealed = ring.seal('secret', 'row 1')
  expect(() => ring.open(sealed, 'row 2')).toThrow()
  expect(() => ring.open(`${sealed.slice(0, -2)}AA`, 'row 1')).toThrow()
  expect(() => oldRing.open(sealed, 'row 1')).toThrow(/not in the ring/)
})

test('a signature holds for its text and purpose only', () => {
  const signature = ring.sign('text', 'links')
  expect(ring.isSigned('text', signature, 'links')).toBe(true)
  expect(ring.isSigned('text', signature, 'page token')).toBe(false)
  expect(ring.isSigned('other', signature, 'links')).toBe(false)
  expect(ring.isSigned('text', '', 'links')).toBe(false)
})

test('a page token leads on under its own filters, and is refused under others or when it was not issued here', () => {
  const token = pageToken(ring, 's123', { Countries: ['GB'] })
  expect(pagePosition(ring, token, { Countries: ['GB'] })).toBe('s123')
  expect(() => pagePosition(ring, token, {})).toThrow(/other filters/)
  expect(() => pagePosition(ring, `${token}x`, { Countries: ['GB'] })).toThrow(/not issued here/)
  expect(() => pagePosition(ring, 'nonsense', {})).toThrow(/not issued here/)
})
