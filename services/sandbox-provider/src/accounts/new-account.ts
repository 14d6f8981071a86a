import type { Account } from '../db.ts'
import {
  type AccountChanges,
  type AccountParameters,
  checkAccountParameters,
  checkStatementDescriptors,
} from './parameters.ts'

/** The default country of a connected account is the platform's own. */
const platformCountry = 'US'

const currencies: Record<string, string> = {
  AU: 'aud', CA: 'cad', CH: 'chf', CZ: 'czk', DK: 'dkk', GB: 'gbp', HK: 'hkd', HU: 'huf', IN: 'inr', JP: 'jpy', MX: 'mxn',
  MY: 'myr', NO: 'nok', NZ: 'nzd', PL: 'pln', RO: 'ron', SE: 'sek', SG: 'sgd', TH: 'thb', US: 'usd',
} // prettier-ignore
const euroCountries = new Set('AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' '))

/**
 * Returns the new account of a request, before its onboarding.
 *
 * @throws ApiError if Stripe would refuse the request
 */
export function newAccount(params: AccountParameters, now: Date, id: string): Account {
  checkAccountParameters(params)
  checkStatementDescriptors(params)
  const country = params.country ?? platformCountry
  const empty: Account = {
    id,
    standing: 'onboarding',
    email: null,
    country,
    defaultCurrency: (params.default_currency ?? currencyOf(country)).toLowerCase(),
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

function currencyOf(country: string): string {
  return euroCountries.has(country) ? 'eur' : (currencies[country] ?? 'usd')
}
