import type { KeyRing } from '@frontdesk/service/encryption'

const purpose = 'onboarding link'
const lifetimeMs = 7 * 24 * 60 * 60 * 1000

/** Our own address of an account's onboarding, and until when it works. */
export interface OnboardingAddress {
  url: string
  expiresAt: Date
}

/**
 * Makes our onboarding address of an account: signed, good for 7 days. Provider links die in minutes and are used once,
 * so each visit to ours mints a fresh one (design section 6).
 */
export function onboardingAddress(ring: KeyRing, publicUrl: string, accountId: string, now: Date): OnboardingAddress {
  // Whole seconds, as the token holds them.
  const seconds = Math.floor((now.getTime() + lifetimeMs) / 1000)
  const body = Buffer.from(JSON.stringify([accountId, seconds])).toString('base64url')
  return { url: addressOf(publicUrl, `${body}.${ring.sign(body, purpose)}`), expiresAt: new Date(seconds * 1000) }
}

/** The address that a token belongs to. */
export function addressOf(publicUrl: string, token: string): string {
  return `${publicUrl}/onboarding/${token}`
}

/** The account of an onboarding token, or undefined where it was not issued here or has run out. */
export function accountOfToken(ring: KeyRing, token: string, now: Date): string | undefined {
  const [body = '', signature = ''] = token.split('.')
  if (!ring.isSigned(body, signature, purpose)) return undefined
  const [accountId, expiresAt] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as [string, number]
  return now.getTime() < expiresAt * 1000 ? accountId : undefined
}
