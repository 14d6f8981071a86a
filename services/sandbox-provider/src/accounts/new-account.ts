import type { Account } from '../db.ts'
import { checkedCurrency, placeOf } from './countries.ts'
import {
  type AccountChanges,
  type AccountParameters,
  checkAccountParameters,
  checkStatementDescriptors,
} from './parameters.ts'

/**
 * Returns the new account of a request, before its onboarding.
 *
 * @throws ApiError if Stripe would refuse the request
 */
export function newAccount(params: AccountParameters, now: Date, id: string): Account {
  checkAccountParameters(params)
  checkStatementDescriptors(params)
  const empty: Account = {
    id,
    standing: 'onboarding',
    email: null,
    ...placeOf(params),
    businessType: null,
    businessName: null,
    businessUrl: null,
    supportPhone: null,
    supportEmail: null,
    productDescription: null,
    merchantCategory: null,
    statementDescriptor: null,
    statementDescriptorPrefix: null,
    controller: {
      feesPayer: params.controller?.fees?.payer ?? 'account',
      lossesPayments: params.controller?.losses?.payments ?? 'stripe',
      dashboard: params.controller?.stripe_dashboard?.type ?? 'full',
      requirementCollection: params.controller?.requirement_collection ?? 'stripe',
    },
    capabilities: [],
    metadata: {},
    paidOut: {},
    createdAt: now,
    deauthorizedAt: null,
    deletedAt: null,
  }
  return changedAccount(empty, params)
}

/**
 * Returns an account with the changes of a request; other members stay as they are.
 *
 * @throws ApiError if Stripe would refuse the request
 */
export function changedAccount(account: Account, changes: AccountChanges): Account {
  checkStatementDescriptors(changes)
  const profile = changes.business_profile
  const capabilities = Object.entries(changes.capabilities ?? {}).flatMap(([name, capability]) =>
    capability?.requested ? [name] : [],
  )
  return {
    ...account,
    email: changes.email ?? account.email,
    defaultCurrency: checkedCurrency(changes.default_currency, account.country) ?? account.defaultCurrency,
    businessType: changes.business_type ?? account.businessType,
    businessName: profile?.name ?? account.businessName,
    businessUrl: profile?.url ?? account.businessUrl,
    supportPhone: profile?.support_phone ?? account.supportPhone,
    supportEmail: profile?.support_email ?? account.supportEmail,
    productDescription: profile?.product_description ?? account.productDescription,
    merchantCategory: profile?.mcc ?? account.merchantCategory,
    statementDescriptor: changes.settings?.payments?.statement_descriptor ?? account.statementDescriptor,
    statementDescriptorPrefix:
      changes.settings?.card_payments?.statement_descriptor_prefix ?? account.statementDescriptorPrefix,
    capabilities: [...new Set([...account.capabilities, ...capabilities])],
    metadata: { ...account.metadata, ...changes.metadata },
  }
}
