import { randomBytes } from 'node:crypto'
import { createKeyRing } from '@frontdesk/service/encryption'
import { expect, test } from 'vitest'
import { checkReturnUrl, onboardingAddress, readToken } from './onboarding-link.ts'

const ring = createKeyRing('k1', new Map([['k1', randomBytes(32)]]))
const account = '0199a9a0-0000-7000-8000-000000000001'
const now = new Date('2026-11-21T08:00:00.500Z')
const day = 24 * 60 * 60 * 1000

const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)

test('an onboarding address leads to its account for exactly seven days', () => {
  const { url, expiresAt } = onboardingAddress(ring, 'https://api.example.com', { accountId: account }, now)
  expect(url).toMatch(/^https:\/\/api\.example\.com\/onboarding\/[\w.-]+$/)
  expect(Math.abs(expiresAt.getTime() - now.getTime() - 7 * day)).toBeLessThan(1000)
  expect(readToken(ring, tokenOf(url), now)).toEqual({ accountId: account })
  expect(readToken(ring, tokenOf(url), new Date(expiresAt.getTime() - 1))).toEqual({ accountId: account })
  expect(readToken(ring, tokenOf(url), expiresAt)).toBeUndefined()
})

test('a token that was changed, cut or signed with another key leads to no account', () => {
  const token = tokenOf(onboardingAddress(ring, 'https://api.example.com', { accountId: account }, now).url)
  const foreign = createKeyRing('k1', new Map([['k1', randomBytes(32)]]))
  expect(readToken(foreign, token, now)).toBeUndefined()
  expect(readToken(ring, token.slice(0, -2), now)).toBeUndefined()
  expect(readToken(ring, `x${token}`, now)).toBeUndefined()
  expect(readToken(ring, 'nonsense', now)).toBeUndefined()
})

test('an onboarding link carries the return address, and the longest one fits into a token', () => {
  const returnUrl = `https://pms.example/${'x'.repeat(1004)}`
  expect(returnUrl).toHaveLength(1024)
  const token = tokenOf(onboardingAddress(ring, 'https://api.example.com', { accountId: account, returnUrl }, now).url)
  expect(readToken(ring, token, now)).toEqual({ accountId: account, returnUrl })
  // The longest part of an address that our servers route.
  expect(token.length).toBeLessThan(2048)
})

test('outside of development a practice goes back by https only', () => {
  const production = { allowHttp: false }
  expect(() => checkReturnUrl('http://pms.example/', production)).toThrow(
    expect.objectContaining({ code: 'return_url_refused' }),
  )
  for (const url of [undefined, 'https://pms.example/', 'HTTPS://pms.example/'])
    expect(() => checkReturnUrl(url, production)).not.toThrow()
  expect(() => checkReturnUrl('http://localhost:3000/', { allowHttp: true })).not.toThrow()
})
