import { Type } from 'typebox'
import { AccountCreation, AccountList, AccountOnboarding, PaymentProviderAccount } from './accounts.ts'
import { asksProvider, BySite, errorCategories, SiteParam, type Operation } from './operation.ts'
import { described } from './members.ts'
import { closed, Uuid } from './values.ts'

const onAccounts = { service: 'accounts', level: 'site', errors: errorCategories.onSite } as const

const AccountId = described(Uuid, 'The `accountId` of the account.')

/** The public operations of accounts (interface, endpoints 6 to 9). */
export const accountOperations = {
  createAccount: {
    ...onAccounts,
    summary: 'Create a payment provider account, or onboard it again',
    description:
      'A site has one account at each provider. If it has one, you get it with a new session and a new link of onboarding. The account can take payments once its status is `Active`.',
    refusals: [
      'return_url_refused',
      ...asksProvider,
      'provider_outcome_unknown',
      'provider_rejected',
      'provider_account_not_ready',
    ],
    method: 'POST',
    path: '/api/v1/sites/{SiteSlug}/payment-provider-accounts',
    clientMethod: 'accounts.create',
    scope: 'accounts:write',
    params: BySite,
    body: AccountCreation,
    responses: { 200: AccountOnboarding, 201: AccountOnboarding },
    deadlineMs: 30_000,
    secret: true,
    audited: true,
  },
  listAccounts: {
    ...onAccounts,
    summary: 'List the payment provider accounts of a site',
    description: 'The accounts that were not deleted. There are no pages: a site has at most one for each provider.',
    refusals: [],
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/payment-provider-accounts',
    clientMethod: 'accounts.list',
    scope: 'accounts:read',
    params: BySite,
    responses: { 200: AccountList },
    deadlineMs: 5_000,
  },
  getAccount: {
    ...onAccounts,
    summary: 'Get a payment provider account',
    description: 'Returns its present status, which follows the provider.',
    refusals: ['account_not_found'],
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/payment-provider-accounts/{AccountId}',
    clientMethod: 'accounts.get',
    scope: 'accounts:read',
    params: Type.Object({ SiteSlug: SiteParam, AccountId }, closed),
    responses: { 200: PaymentProviderAccount },
    deadlineMs: 5_000,
  },
  deleteAccount: {
    ...onAccounts,
    summary: 'Delete a payment provider account',
    description:
      'The site takes no more payments at this provider. Payments that are open must be cancelled first, or end.',
    refusals: [
      'account_not_found',
      'account_has_open_payments',
      'account_not_deletable',
      ...asksProvider,
      'provider_outcome_unknown',
      'provider_rejected',
      'provider_account_not_ready',
    ],
    method: 'DELETE',
    path: '/api/v1/sites/{SiteSlug}/payment-provider-accounts/{AccountId}',
    clientMethod: 'accounts.delete',
    scope: 'accounts:write',
    params: Type.Object({ SiteSlug: SiteParam, AccountId }, closed),
    responses: { 200: PaymentProviderAccount },
    deadlineMs: 30_000,
    audited: true,
  },
} as const satisfies Record<string, Operation>
