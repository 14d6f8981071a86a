import type { AccountState, AccountStatus, PaymentProvider } from '@frontdesk/contracts'
import type { ProviderAccount, ProviderRefused } from '@frontdesk/providers'

/** A site's account at a payment provider. */
export interface Account {
  readonly accountId: string
  readonly siteSlug: string
  readonly provider: PaymentProvider
  readonly status: AccountStatus
  /** Counts the states that were announced; 0 until the provider has confirmed the account. */
  readonly version: number
  readonly createdAt: Date
  /** The provider's id; absent until it has confirmed the account. */
  readonly externalAccountId?: string | undefined
  readonly statementDescriptorPrefix?: string | undefined
  /** Why the provider has disabled it, in the provider's words. */
  readonly disabledReason?: string | undefined
  /** Closed for us: it is gone from the API and makes no more events. */
  readonly deletedAt?: Date | undefined
  /** When the provider is to be asked to delete it too; absent when there is nothing (more) to ask. */
  readonly providerDeletionDueAt?: Date | undefined
  /** How the deletion at the provider ended. */
  readonly providerDeletionNote?: string | undefined
}

export interface AccountEvent {
  readonly type: 'account.created' | 'account.updated' | 'account.deleted'
  readonly data: AccountState
}

/** What is to be saved, in one transaction. `next` is the very same object where nothing changed. */
export interface Decision {
  readonly next: Account
  readonly events: readonly AccountEvent[]
}

/** The record closes at once, the provider is asked a day later (design section 6). */
const providerDeletionDelayMs = 24 * 60 * 60 * 1000

/** The state of an account that nobody has confirmed yet. */
export function newAccount(of: Pick<Account, 'accountId' | 'siteSlug' | 'provider'>, now: Date): Account {
  return { ...of, status: 'None', version: 0, createdAt: now }
}

/**
 * Follows the provider's own record of an account: `account.created` when it confirms it, `account.updated` when its
 * status or statement prefix changed, nothing otherwise. Any status may follow any other; it is the provider's to say.
 * A closed account only learns its identifier, so that it can be deleted at the provider.
 */
export function applyProviderAccount(account: Account, record: ProviderAccount): Decision {
  const { externalAccountId, status, statementDescriptorPrefix, disabledReason } = record
  if (account.deletedAt !== undefined) {
    return account.externalAccountId === undefined ? quietly({ ...account, externalAccountId }) : quietly(account)
  }
  const next: Account = { ...account, externalAccountId, status, statementDescriptorPrefix, disabledReason }
  if (account.externalAccountId === undefined) return announced(next, 'account.created')
  const isTold = account.status === status && account.statementDescriptorPrefix === statementDescriptorPrefix
  if (!isTold) return announced(next, 'account.updated')
  return quietly(account.disabledReason === disabledReason ? account : next)
}

/** The provider told that the account has cut us off: it cannot be used, nor asked about, until it lets us in again. */
export function deauthorise(account: Account): Decision {
  if (account.deletedAt !== undefined || account.externalAccountId === undefined) return quietly(account)
  if (account.status === 'Rejected' || account.disabledReason === 'deauthorised') return quietly(account)
  const next: Account = { ...account, status: 'Disabled', disabledReason: 'deauthorised' }
  return account.status === 'Disabled' ? quietly(next) : announced(next, 'account.updated')
}

/** Closes an account that the provider has deleted at the client's request. */
export function deleteAccount(account: Account, now: Date): Decision {
  return close({ ...account, deletedAt: account.deletedAt ?? now, providerDeletionNote: 'deleted' }, account)
}

/** Closes an account whose site was deleted, at once; the provider is asked to delete it a day later. */
export function siteDeleted(account: Account, now: Date): Decision {
  const providerDeletionDueAt = new Date(now.getTime() + providerDeletionDelayMs)
  return close({ ...account, deletedAt: now, providerDeletionDueAt }, account)
}

function close(closed: Account, before: Account): Decision {
  if (before.deletedAt !== undefined) return quietly(before)
  // Nobody was told of an account that the provider never confirmed.
  return before.externalAccountId === undefined ? quietly(closed) : announced(closed, 'account.deleted')
}

/** Notes how the deletion at the provider ended, which is final: what it will not delete stays there. */
export function endProviderDeletion(account: Account, refusal: ProviderRefused | undefined): Decision {
  const reason = refusal?.details.code ?? refusal?.reason
  const providerDeletionNote = refusal === undefined ? 'deleted' : `refused: ${reason}`
  return quietly({ ...account, providerDeletionDueAt: undefined, providerDeletionNote })
}

/** The full state of an account as Internal events and `getAccountState` carry it; members without a value are absent. */
export function accountState(account: Account): AccountState {
  const { version, accountId, siteSlug, provider, status, externalAccountId, statementDescriptorPrefix } = account
  return {
    version,
    accountId,
    siteSlug,
    paymentProvider: provider,
    status,
    ...(externalAccountId === undefined ? {} : { externalAccountId }),
    ...(statementDescriptorPrefix === undefined ? {} : { statementDescriptorPrefix }),
    createdAt: account.createdAt.toISOString(),
    ...(account.deletedAt === undefined ? {} : { deletedAt: account.deletedAt.toISOString() }),
  }
}

const quietly = (next: Account): Decision => ({ next, events: [] })

function announced(account: Account, type: AccountEvent['type']): Decision {
  const next = { ...account, version: account.version + 1 }
  return { next, events: [{ type, data: accountState(next) }] }
}
