import { ProblemError } from '@frontdesk/problems'
import { expect, test } from 'vitest'
import { createKeyRing } from '../encryption/key-ring.ts'
import { openPage, pageToken } from './page-token.ts'

const ring = createKeyRing('key', new Map([['key', Buffer.alloc(32, 1)]]))
const none: { Countries?: string[]; isActive?: boolean } = {}

function refusal(act: () => unknown): string | undefined {
  try {
    act()
  } catch (error) {
    if (error instanceof ProblemError) return error.options.detail
  }
  return undefined
}

test('a page token carries its filters: alone it is enough, and the same filters may come with it', () => {
  const filters = { Countries: ['GB'], isActive: true }
  const token = pageToken(ring, 's123', filters)
  for (const given of [none, filters, { ...none, isActive: true }, { Countries: undefined, isActive: undefined }])
    expect(openPage(ring, token, given)).toEqual({ after: 's123', filters })
})

test('a filter that is not the one of the token is refused by name, also one that the token lacks', () => {
  const token = pageToken(ring, 's123', { Countries: ['GB'] })
  expect(refusal(() => openPage(ring, token, { Countries: ['GB', 'NZ'] }))).toMatch(/another Countries/)
  expect(refusal(() => openPage(ring, token, { Countries: ['GB'], isActive: true }))).toMatch(/another isActive/)
})

test('without a token, and with an empty one, it is the first page', () => {
  for (const token of [undefined, ''])
    expect(openPage(ring, token, { isActive: false })).toEqual({ after: undefined, filters: { isActive: false } })
})

test('only a token that was issued here is taken', () => {
  const token = pageToken(ring, 's123', none)
  for (const forged of [`${token}x`, 'nonsense', '.'])
    expect(refusal(() => openPage(ring, forged, none))).toBe('It was not issued here.')
  const body = Buffer.from(JSON.stringify(['s123', 'digest-of-old'])).toString('base64url')
  const ofTheReleaseBefore = `${body}.${ring.sign(body, 'page token')}`
  expect(refusal(() => openPage(ring, ofTheReleaseBefore, none))).toBe('It was not issued here.')
})

test('filters that are too long to carry must be sent again', () => {
  const filters = { Sites: Array.from({ length: 250 }, (_, index) => `s${'x'.repeat(40)}${index}`) }
  const token = pageToken(ring, 's123', filters)
  expect(token.length).toBeLessThan(200)
  expect(openPage(ring, token, filters)).toEqual({ after: 's123', filters })
  expect(refusal(() => openPage(ring, token, {}))).toMatch(/send the same ones/)
})
