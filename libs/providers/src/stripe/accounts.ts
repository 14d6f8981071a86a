import type { AccountStatus } from '@frontdesk/contracts'
import type Stripe from 'stripe'
import type { AccountOrder, ProviderAccount } from '../port.ts'
import { accountDescriptors } from './statement-descriptor.ts'

/**
 * Returns the request for a connected account. Stripe collects the requirements; the platform pays the fees and bears the
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
    ...(order.emailAddress ? { email: order.emailAddress } : {}),
    ...(order.currency ? { default_currency: order.currency.toLowerCase() } : {}),
    business_profile: { name: order.siteName, ...(order.phoneNumber ? { support_phone: order.phoneNumber } : {}) },
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    settings: {
      ...(descriptor ? { payments: { statement_descriptor: descriptor } } : {}),
      ...(prefix ? { card_payments: { statement_descriptor_prefix: prefix } } : {}),
    },
    metadata: { siteSlug: order.siteSlug, accountId: order.accountId },
  }
}

export const sessionComponents = {
  account_onboarding: { enabled: true },
  payments: { enabled: true },
  notification_banner: { enabled: true },
} as const satisfies Stripe.AccountSessionCreateParams['components']

/** Maps Stripe's account to the port's. */
export function toProviderAccount(account: Stripe.Account): ProviderAccount {
  return {
    externalAccountId: account.id,
    status: accountStatus(account),
    statementDescriptorPrefix: account.settings?.card_payments?.statement_descriptor_prefix ?? undefined,
    disabledReason: account.requirements?.disabled_reason ?? undefined,
  }
}

/** The members of Stripe's account that decide its status. */
export type AccountFacts = Pick<Stripe.Account, 'charges_enabled' | 'payouts_enabled' | 'details_submitted'> & {
  requirements?: Pick<Stripe.Account.Requirements, 'disabled_reason' | 'currently_due' | 'past_due'> | undefined
}

/** Maps Stripe's account to our status; the first match wins. */
export function accountStatus(account: AccountFacts): AccountStatus {
  const { disabled_reason: reason, currently_due: currentlyDue, past_due: pastDue } = account.requirements ?? {}
  if (reason?.startsWith('rejected.') || reason === 'listed') return 'Rejected'
  if (reason === 'platform_paused' || reason === 'other') return 'Disabled'
  if (account.charges_enabled) return account.payouts_enabled && !pastDue?.length ? 'Active' : 'Restricted'
  if (!account.details_submitted) return 'None'
  const inReview = reason === 'requirements.pending_verification' || reason === 'under_review'
  return inReview && !currentlyDue?.length ? 'Pending' : 'ActionRequired'
}
