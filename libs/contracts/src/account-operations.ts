import { Type } from 'typebox'
import { AccountCreation, AccountList, AccountOnboarding, PaymentProviderAccount } from './accounts.ts'
import { BySite, errorCategories, type Operation } from './operation.ts'
import { closed, Slug, Uuid } from './values.ts'

const onAccounts = { service: 'accounts', level: 'site', errors: errorCategories.onSite } as const

/** The public operations of accounts (interface, endpoints 6 to 9). */
export const accountOperations = {
  createAccount: {
    ...onAccounts,
    summary: 'Create a payment provider account, or onboard it again',
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
    method: 'GET',
    path: '/api/v1/sites/{SiteSlug}/payment-provider-accounts/{AccountId}',
    clientMethod: 'accounts.get',
    scope: 'accounts:read',
    params: Type.Object({ SiteSlug: Slug, AccountId: Uuid }, closed),
    responses: { 200: PaymentProviderAccount },
    deadlineMs: 5_000,
  },
  deleteAccount: {
    ...onAccounts,
    summary: 'Delete a payment provider account',
    method: 'DELETE',
    path: '/api/v1/sites/{SiteSlug}/payment-provider-accounts/{AccountId}',
    clientMethod: 'accounts.delete',
    scope: 'accounts:write',
    params: Type.Object({ SiteSlug: Slug, AccountId: Uuid }, closed),
    responses: { 200: PaymentProviderAccount },
    deadlineMs: 30_000,
    audited: true,
  },
} as const satisfies Record<string, Operation>
