import type { AccountState, AccountStatus, AccountStatusChange, PaymentProvider } from '@frontdesk/contracts'
import type { ProviderAccount } from '@frontdesk/providers'

/** A site's account at a payment provider. */
export interface Account {
  readonly accountId: string
  readonly siteSlug: string
  readonly provider: PaymentProvider
  readonly status: AccountStatus
  /** Number of events; 0 until the provider has confirmed the account. */
  readonly version: number
  readonly createdAt: Date
  /** The provider's identifier; absent until it has confirmed the account. */
  readonly externalAccountId?: string | undefined
  readonly statementDescriptorPrefix?: string | undefined
  /** The provider's reason for disabling it, in the provider's words. */
  readonly disabledReason?: string | undefined
  /** When we closed it: the API does not show it, and it has no more events. */
  readonly deletedAt?: Date | undefined
  /** When to delete it at the provider too; absent if that is done or not needed. */
  readonly providerDeletionDueAt?: Date | undefined
  /** Outcome of the deletion at the provider. */
  readonly providerDeletionNote?: string | undefined
}

/** An Internal event with the whole state of an account. */
export interface StateEvent {
  readonly type: 'account.created' | 'account.updated' | 'account.deleted'
  readonly data: AccountState
}

/** The Public event for clients that follow the status alone. */
export interface StatusEvent {
  readonly type: 'account.status_changed'
  readonly data: AccountStatusChange
}

export type AccountEvent = StateEvent | StatusEvent

/** The account and its events to save, in one statement. `next` is the same object if nothing changed. */
export interface Decision {
  readonly next: Account
  readonly events: readonly AccountEvent[]
}

/** The account of a deleted site is closed at once, and deleted at the provider a day later. */
const providerDeletionDelayMs = 24 * 60 * 60 * 1000

/**
 * Follows the provider's record of an account: `account.created` on its confirmation, `account.updated` on a new status or
 * statement prefix, `account.status_changed` beside both on a new status, no event otherwise. The provider decides the
 * status, so any may follow any other.
 * A closed account takes only its identifier, so that it can be deleted at the provider.
 */
export function applyProviderAccount(account: Account, record: ProviderAccount): Decision {
  const { externalAccountId, status, statementDescriptorPrefix, disabledReason } = record
  if (account.deletedAt !== undefined) {
    return account.externalAccountId === undefined ? silently({ ...account, externalAccountId }) : silently(account)
  }
  const next: Account = { ...account, externalAccountId, status, statementDescriptorPrefix, disabledReason }
  if (account.externalAccountId === undefined) return announced(account, next, 'account.created')
  const isAnnounced = account.status === status && account.statementDescriptorPrefix === statementDescriptorPrefix
  if (!isAnnounced) return announced(account, next, 'account.updated')
  return silently(account.disabledReason === disabledReason ? account : next)
}

/** Disables an account that has revoked our access: until it grants access again, nobody can use it or ask about it. */
export function deauthorise(account: Account): Decision {
  if (account.deletedAt !== undefined || account.externalAccountId === undefined) return silently(account)
  if (account.status === 'Rejected' || account.disabledReason === 'deauthorised') return silently(account)
  const next: Account = { ...account, status: 'Disabled', disabledReason: 'deauthorised' }
  return account.status === 'Disabled' ? silently(next) : announced(account, next, 'account.updated')
}

/** Whether an account has revoked our access: nobody can use it, ask about it or delete it through us. */
export function isCutOff({ status, disabledReason }: Account): boolean {
  return status === 'Disabled' && disabledReason === 'deauthorised'
}

/** Whether the provider's onboarding has nothing to ask for: the account can do everything, or is refused for good, or is gone. */
export function hasNothingToDo(account: Account): boolean {
  return account.status === 'Active' || account.status === 'Rejected' || isCutOff(account)
}

/** Closes an account that the provider has deleted at a client's request, or that has revoked our access. */
export function deleteAccount(account: Account, now: Date): Decision {
  const providerDeletionNote = isCutOff(account) ? 'access revoked' : 'deleted'
  return close({ ...account, deletedAt: account.deletedAt ?? now, providerDeletionNote }, account)
}

/** Closes an account that has revoked our access, so that its site can open another one; leaves any other as it is. */
export function makeRoom(account: Account, now: Date): Decision {
  return isCutOff(account) ? deleteAccount(account, now) : silently(account)
}

/** Closes an account whose site was deleted; it is due for deletion at the provider a day later. */
export function siteDeleted(account: Account, now: Date): Decision {
  const providerDeletionDueAt = new Date(now.getTime() + providerDeletionDelayMs)
  return close({ ...account, deletedAt: now, providerDeletionDueAt }, account)
}

function close(closed: Account, before: Account): Decision {
  if (before.deletedAt !== undefined) return silently(before)
  // No event has announced an account that the provider never confirmed.
  return before.externalAccountId === undefined ? silently(closed) : announced(before, closed, 'account.deleted')
}

/**
 * The account of a deleted site is not deleted at the provider while money is on its way. Disputes take months; what is
 * open after this time is no reason to ask on, and the account stays.
 */
const openMoneyAtMostMs = 180 * 24 * 60 * 60 * 1000

/** Whether the deletion at the provider is given up because payments of the deleted site have been open for too long. */
export function isOpenForTooLong({ deletedAt }: Account, now: Date): boolean {
  return deletedAt !== undefined && now.getTime() - deletedAt.getTime() > openMoneyAtMostMs
}

/** Notes the outcome of the deletion at the provider. It is final: an account that is not deleted then stays. */
export function endProviderDeletion(account: Account, providerDeletionNote: string): Decision {
  return silently({ ...account, providerDeletionDueAt: undefined, providerDeletionNote })
}

/** Returns the state of an account as Internal events and `getAccountState` carry it; members without a value are absent. */
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

const silently = (next: Account): Decision => ({ next, events: [] })

/** Announces a change with its Internal event. Before it goes the Public one, if the status is another one now. */
function announced(before: Account, changed: Account, type: StateEvent['type']): Decision {
  const changes = statusChange(before, changed)
  const next = { ...changed, version: before.version + changes.length + 1 }
  return { next, events: [...changes, { type, data: accountState(next) }] }
}

function statusChange(before: Account, { status, externalAccountId }: Account): StatusEvent[] {
  if (before.status === status || externalAccountId === undefined) return []
  const { accountId, provider: paymentProvider, status: previousStatus } = before
  return [
    {
      type: 'account.status_changed',
      data: { accountId, paymentProvider, status, previousStatus, externalAccountId },
    },
  ]
}
