import type { AccountStatus, PaymentProvider, PaymentProviderAccount } from '@frontdesk/contracts'
import type { AccountOrder } from '@frontdesk/providers'
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

/** Returns the request that creates the account at the provider; it never changes, since it has one idempotency key. */
export const orderOf = (row: AccountRow): AccountOrder => row.providerOrder as unknown as AccountOrder

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
