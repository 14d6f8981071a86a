import { problem } from '@frontdesk/problems'
import type { KeyRing } from '@frontdesk/service/encryption'

const purpose = 'onboarding link'
const lifetimeMs = 7 * 24 * 60 * 60 * 1000

/** Our address of an account's onboarding, and when it expires. */
export interface OnboardingAddress {
  url: string
  expiresAt: Date
}

/** The content of an onboarding token. */
export interface Onboarding {
  accountId: string
  /** Where the practice goes back to from our page after onboarding. */
  returnUrl?: string | undefined
}

/**
 * Returns our onboarding address of an account: signed, valid for 7 days. A provider's link expires within minutes and
 * works once, so each visit to our address gets a new one. The return address is a part of the token, so it is the same at every
 * visit, and another onboarding of the same account may have another one.
 */
export function onboardingAddress(
  ring: KeyRing,
  publicUrl: string,
  { accountId, returnUrl }: Onboarding,
  now: Date,
): OnboardingAddress {
  // The token holds whole seconds.
  const seconds = Math.floor((now.getTime() + lifetimeMs) / 1000)
  const body = Buffer.from(
    JSON.stringify(returnUrl === undefined ? [accountId, seconds] : [accountId, seconds, returnUrl]),
  ).toString('base64url')
  return { url: addressOf(publicUrl, `${body}.${ring.sign(body, purpose)}`), expiresAt: new Date(seconds * 1000) }
}

/** Returns the address of an onboarding token. */
export function addressOf(publicUrl: string, token: string): string {
  return `${publicUrl}/onboarding/${token}`
}

/** Returns the address of our page after onboarding. */
export function endAddressOf(publicUrl: string, token: string): string {
  return `${addressOf(publicUrl, token)}/done`
}

/** Returns the content of an onboarding token; undefined if we did not issue it or it has expired. */
export function readToken(ring: KeyRing, token: string, now: Date): Onboarding | undefined {
  const [body = '', signature = ''] = token.split('.')
  if (!ring.isSigned(body, signature, purpose)) return undefined
  const [accountId, expiresAt, returnUrl] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as [
    accountId: string,
    expiresAt: number,
    returnUrl?: string,
  ]
  return now.getTime() < expiresAt * 1000 ? { accountId, returnUrl } : undefined
}

/** Throws `return_url_refused` for an address to which a practice's browser would go without encryption, unless http is allowed. */
export function checkReturnUrl(returnUrl: string | undefined, { allowHttp }: { allowHttp: boolean }): void {
  if (returnUrl === undefined || allowHttp || /^https:/i.test(returnUrl)) return
  const detail = 'must be https'
  throw problem('return_url_refused', { detail, errors: [{ pointer: '/returnUrl', detail }] })
}
