import type { AccountStatus, PaymentProvider, PaymentProviderAccount, SiteAccess } from '@frontdesk/contracts'
import type { AccountOrder, AccountRequest, Provider } from '@frontdesk/providers'
import type { AccountRow } from '../db.ts'
import type { Account } from './domain.ts'

/** Returns the state that the rules decide on. */
export function fromRow(row: AccountRow): Account {
  return {
    accountId: row.id,
    siteSlug: row.siteSlug,
    provider: row.provider as PaymentProvider,
    status: row.status as AccountStatus,
    version: row.version,
    createdAt: row.createdAt,
    externalAccountId: row.externalAccountId ?? undefined,
    statementDescriptorPrefix: row.statementDescriptorPrefix ?? undefined,
    disabledReason: row.disabledReason ?? undefined,
    deletedAt: row.deletedAt ?? undefined,
    providerDeletionDueAt: row.providerDeletionDueAt ?? undefined,
    providerDeletionNote: row.providerDeletionNote ?? undefined,
  }
}

/**
 * Returns the order of a new account. Without a country the provider opens the account in its own default country, and is
 * left to choose a currency of that country.
 */
export function newOrder(accountId: string, site: SiteAccess): AccountOrder {
  const { country, currency, emailAddress, phoneNumber } = site
  return {
    accountId,
    siteSlug: site.slug,
    siteName: site.name,
    ...(country === undefined ? {} : { country, currency }),
    emailAddress,
    phoneNumber,
  }
}

/**
 * Returns the request that creates the account at the provider. It never changes, since it has one idempotency key: a later
 * release must send the same. Rows of releases that stored no request have the order that it is built from.
 */
export function requestOf(row: AccountRow, provider: Pick<Provider, 'accountRequest'>): AccountRequest {
  if (row.providerRequest !== null) return row.providerRequest as unknown as AccountRequest
  return provider.accountRequest(row.providerOrder as unknown as AccountOrder)
}

/** Returns an account as the interface shows it. */
export function toWire(row: AccountRow): PaymentProviderAccount {
  return {
    accountId: row.id,
    paymentProvider: row.provider as PaymentProvider,
    status: row.status as AccountStatus,
    createdAt: row.createdAt.toISOString(),
    ...(row.externalAccountId === null ? {} : { externalAccountId: row.externalAccountId }),
  }
}
