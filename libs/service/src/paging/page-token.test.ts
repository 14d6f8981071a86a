import { expect, test } from 'vitest'
import { createKeyRing } from '../encryption/key-ring.ts'
import { pagePosition, pageToken } from './page-token.ts'

const ring = createKeyRing('key', new Map([['key', Buffer.alloc(32, 1)]]))

test('a page token is accepted with its own filters only, and only if it was issued here', () => {
  const token = pageToken(ring, 's123', { Countries: ['GB'] })
  expect(pagePosition(ring, token, { Countries: ['GB'] })).toBe('s123')
  expect(() => pagePosition(ring, token, {})).toThrow(/other filters/)
  expect(() => pagePosition(ring, `${token}x`, { Countries: ['GB'] })).toThrow(/not issued here/)
  expect(() => pagePosition(ring, 'nonsense', {})).toThrow(/not issued here/)
})
