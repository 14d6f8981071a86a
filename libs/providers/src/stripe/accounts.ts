import { domainToASCII } from 'node:url'
import type { AccountStatus } from '@frontdesk/contracts'
import type Stripe from 'stripe'
import type { AccountOrder, AccountRequest } from '../orders.ts'
import type { OnboardingLink, OnboardingSession, ProviderAccount } from '../port.ts'
import { flag, text, time } from './answers.ts'
import { accountDescriptors } from './statement-descriptor.ts'

/** Builds Stripe's request for a connected account, without IO. */
export function accountRequest(order: AccountOrder): AccountRequest {
  // Through JSON, so that the request sent now equals the one that a later retry reads from the database.
  const params = JSON.parse(JSON.stringify(accountParams(order))) as Record<string, unknown>
  return { idempotencyKey: `acct_${order.accountId}`, params }
}

/**
 * Returns the parameters of a connected account. Stripe collects the requirements; the platform pays the fees and bears the
 * losses, which an express dashboard requires. Stripe refuses `type` together with `controller`.
 */
export function accountParams(order: AccountOrder): Stripe.AccountCreateParams {
  const { descriptor, prefix } = accountDescriptors(order.siteName)
  return {
    controller: {
      fees: { payer: 'application' },
      losses: { payments: 'application' },
      stripe_dashboard: { type: 'express' },
      requirement_collection: 'stripe',
    },
    ...(order.country ? { country: order.country } : {}),
    ...emailOf(order),
    ...defaultCurrency(order),
    business_profile: { name: order.siteName, ...supportPhone(order) },
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    settings: {
      ...(descriptor ? { payments: { statement_descriptor: descriptor } } : {}),
      ...(prefix ? { card_payments: { statement_descriptor_prefix: prefix } } : {}),
    },
    metadata: { siteSlug: order.siteSlug, accountId: order.accountId },
  }
}

/**
 * Stripe knows the currency of a country, and refuses an account with another one that it cannot pay out there: a practice in
 * London that charges in euros would get none. Orders of earlier releases had no country; their requests must stay the same.
 */
function defaultCurrency({ country, currency }: AccountOrder): { default_currency?: string } {
  return country || !currency ? {} : { default_currency: currency.toLowerCase() }
}

/** Stripe refuses a number that nobody can have. Without one it asks for it in the onboarding. */
function supportPhone({ phoneNumber = '' }: AccountOrder): { support_phone?: string } {
  return /^\+\d{7,15}$/.test(phoneNumber) ? { support_phone: phoneNumber } : {}
}

/**
 * Stripe's addresses have ASCII letters: a domain is sent in its ASCII form, and an address with other letters before the @ not at
 * all. The onboarding asks for it then.
 */
function emailOf({ emailAddress = '' }: AccountOrder): { email?: string } {
  const [local = '', domain = ''] = emailAddress.split('@')
  const ascii = domainToASCII(domain)
  return ascii !== '' && /^[\x21-\x7e]+$/.test(local) ? { email: `${local}@${ascii}` } : {}
}

export const sessionComponents = {
  account_onboarding: { enabled: true },
  payments: { enabled: true },
  notification_banner: { enabled: true },
} as const satisfies Stripe.AccountSessionCreateParams['components']

/** Maps Stripe's account to the port's. Throws UnreadableAnswer. */
export function toProviderAccount(account: Stripe.Account): ProviderAccount {
  return {
    externalAccountId: text(account.id, 'the id of the account'),
    status: accountStatus(account),
    statementDescriptorPrefix: account.settings?.card_payments?.statement_descriptor_prefix ?? undefined,
    disabledReason: account.requirements?.disabled_reason ?? undefined,
  }
}

/** Maps the session of an embedded onboarding. Throws UnreadableAnswer. */
export function toOnboardingSession(session: Stripe.AccountSession): OnboardingSession {
  return {
    session: text(session.client_secret, 'the secret of the account session'),
    expiresAt: time(session.expires_at, 'the expiry of the account session'),
  }
}

/** Maps the link to the onboarding pages. Throws UnreadableAnswer. */
export function toOnboardingLink(link: Stripe.AccountLink): OnboardingLink {
  return { url: text(link.url, 'the address of the account link'), expiresAt: time(link.expires_at, 'its expiry') }
}

/** The members of Stripe's account that decide its status. */
export type AccountFacts = Pick<Stripe.Account, 'charges_enabled' | 'payouts_enabled' | 'details_submitted'> & {
  requirements?: Pick<Stripe.Account.Requirements, 'disabled_reason' | 'currently_due' | 'past_due'> | undefined
}

/** Maps Stripe's account to our status; the first match wins. Throws UnreadableAnswer. */
export function accountStatus(account: AccountFacts): AccountStatus {
  const { disabled_reason: reason, currently_due: currentlyDue, past_due: pastDue } = account.requirements ?? {}
  if (reason?.startsWith('rejected.') || reason === 'listed') return 'Rejected'
  if (reason === 'platform_paused' || reason === 'other') return 'Disabled'
  const mayBePaidOut = flag(account.payouts_enabled, 'payouts_enabled')
  if (flag(account.charges_enabled, 'charges_enabled'))
    return mayBePaidOut && !pastDue?.length ? 'Active' : 'Restricted'
  if (!flag(account.details_submitted, 'details_submitted')) return 'None'
  const inReview = reason === 'requirements.pending_verification' || reason === 'under_review'
  return inReview && !currentlyDue?.length ? 'Pending' : 'ActionRequired'
}
