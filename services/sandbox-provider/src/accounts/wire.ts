import type Stripe from 'stripe'
import type { Account, AccountSession } from '../db.ts'
import { canCharge, requirementsOf } from './domain.ts'

/** Returns an account in the form of Stripe's API. */
export function accountToWire(account: Account): Stripe.Account {
  const charges = canCharge(account)
  const { due, disabledReason } = requirementsOf(account)
  const requirements = {
    alternatives: [],
    current_deadline: null,
    currently_due: due,
    disabled_reason: disabledReason,
    errors: [],
    eventually_due: due,
    past_due: due,
    pending_verification: [],
  }
  return {
    id: account.id,
    object: 'account',
    business_profile: {
      mcc: account.merchantCategory,
      minority_owned_business_designation: null,
      name: account.businessName,
      product_description: account.productDescription,
      specified_commercial_transactions_act_url: null,
      support_address: null,
      support_email: account.supportEmail,
      support_phone: account.supportPhone,
      support_url: null,
      url: account.businessUrl,
    },
    business_type: account.businessType,
    capabilities: Object.fromEntries(account.capabilities.map((name) => [name, charges ? 'active' : 'inactive'])),
    charges_enabled: charges,
    controller: {
      type: 'application',
      is_controller: true,
      fees: { payer: account.controller.feesPayer },
      losses: { payments: account.controller.lossesPayments },
      requirement_collection: account.controller.requirementCollection,
      stripe_dashboard: { type: account.controller.dashboard },
    },
    country: account.country,
    created: seconds(account.createdAt),
    default_currency: account.defaultCurrency,
    details_submitted: account.standing !== 'onboarding',
    email: account.email,
    external_accounts: {
      object: 'list',
      data: [],
      has_more: false,
      url: `/v1/accounts/${account.id}/external_accounts`,
    },
    future_requirements: {
      ...requirements,
      currently_due: [],
      disabled_reason: null,
      eventually_due: [],
      past_due: [],
    },
    metadata: account.metadata,
    payouts_enabled: account.standing === 'active',
    requirements,
    settings: {
      branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
      card_payments: {
        statement_descriptor_prefix: account.statementDescriptorPrefix,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      dashboard: { display_name: account.businessName, timezone: 'Etc/UTC' },
      payments: {
        statement_descriptor: account.statementDescriptor,
        statement_descriptor_kana: null,
        statement_descriptor_kanji: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
    },
    type: 'none',
  }
}

/** Returns an account session in the form of Stripe's API, with the requested components only. */
export function accountSessionToWire(session: AccountSession): object {
  return {
    object: 'account_session',
    account: session.accountId,
    client_secret: session.clientSecret,
    components: session.components,
    expires_at: seconds(session.expiresAt),
    livemode: false,
  }
}

/** Returns a time in whole seconds, as in Stripe's API. */
export function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
