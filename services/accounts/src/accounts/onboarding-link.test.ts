import { randomBytes } from 'node:crypto'
import { createKeyRing } from '@frontdesk/service/encryption'
import { expect, test } from 'vitest'
import { accountOfToken, onboardingAddress } from './onboarding-link.ts'

const ring = createKeyRing('k1', new Map([['k1', randomBytes(32)]]))
const account = '0199a9a0-0000-7000-8000-000000000001'
const now = new Date('2026-11-21T08:00:00.500Z')
const day = 24 * 60 * 60 * 1000

const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)

test('an onboarding address leads to its account for exactly seven days', () => {
  const { url, expiresAt } = onboardingAddress(ring, 'https://api.example.com', account, now)
  expect(url).toMatch(/^https:\/\/api\.example\.com\/onboarding\/[\w.-]+$/)
  expect(Math.abs(expiresAt.getTime() - now.getTime() - 7 * day)).toBeLessThan(1000)
  expect(accountOfToken(ring, tokenOf(url), now)).toBe(account)
  expect(accountOfToken(ring, tokenOf(url), new Date(expiresAt.getTime() - 1))).toBe(account)
  expect(accountOfToken(ring, tokenOf(url), expiresAt)).toBeUndefined()
})

test('a token that was changed, cut or signed with another key leads to no account', () => {
  const token = tokenOf(onboardingAddress(ring, 'https://api.example.com', account, now).url)
  const foreign = createKeyRing('k1', new Map([['k1', randomBytes(32)]]))
  expect(accountOfToken(foreign, token, now)).toBeUndefined()
  expect(accountOfToken(ring, token.slice(0, -2), now)).toBeUndefined()
  expect(accountOfToken(ring, `x${token}`, now)).toBeUndefined()
  expect(accountOfToken(ring, 'nonsense', now)).toBeUndefined()
})
