import type { KeyRing } from '@frontdesk/service/encryption'

const purpose = 'onboarding link'
const lifetimeMs = 7 * 24 * 60 * 60 * 1000

/** Our address of an account's onboarding, and when it expires. */
export interface OnboardingAddress {
  url: string
  expiresAt: Date
}

/**
 * Returns our onboarding address of an account: signed, valid for 7 days. A provider's link expires within minutes and
 * works once, so each visit to our address gets a new one.
 */
export function onboardingAddress(ring: KeyRing, publicUrl: string, accountId: string, now: Date): OnboardingAddress {
  // The token holds whole seconds.
  const seconds = Math.floor((now.getTime() + lifetimeMs) / 1000)
  const body = Buffer.from(JSON.stringify([accountId, seconds])).toString('base64url')
  return { url: addressOf(publicUrl, `${body}.${ring.sign(body, purpose)}`), expiresAt: new Date(seconds * 1000) }
}

/** Returns the address of an onboarding token. */
export function addressOf(publicUrl: string, token: string): string {
  return `${publicUrl}/onboarding/${token}`
}

/** Returns the account of an onboarding token; undefined if we did not issue it or it has expired. */
export function accountOfToken(ring: KeyRing, token: string, now: Date): string | undefined {
  const [body = '', signature = ''] = token.split('.')
  if (!ring.isSigned(body, signature, purpose)) return undefined
  const [accountId, expiresAt] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as [string, number]
  return now.getTime() < expiresAt * 1000 ? accountId : undefined
}
