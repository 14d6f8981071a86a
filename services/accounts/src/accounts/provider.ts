import type { PaymentProvider } from '@frontdesk/contracts'
import { databaseNow } from '@frontdesk/database'
import type { EventOrigin, Relay } from '@frontdesk/events'
import { isProviderError, providerProblem, ProviderRefused, type Provider, type Providers } from '@frontdesk/providers'
import type { Database } from '../db.ts'
import { confirmWithinMs } from './checks.ts'
import { applyProviderAccount, deauthorise, type Account, type Decision } from './domain.ts'
import { changeAccount, discardAccount, orderOf, type AccountRow, type ChangeOptions } from './store.ts'

/** What it takes to ask a provider and to keep what it says. */
export interface AccountDeps extends Pick<Database, 'pool' | 'prisma'> {
  origin: EventOrigin
  providers: Providers
  relay: Pick<Relay, 'wake'>
}

/**
 * Has the provider make the account of a row that it has not confirmed yet, and keeps its answer. Sent again it is the
 * same order under the same idempotency key, so it never makes two. A refusal takes the row back.
 * Throws ProviderError.
 */
export async function confirmAccount(
  deps: AccountDeps,
  provider: Provider,
  row: AccountRow,
  options: ChangeOptions = {},
): Promise<AccountRow | undefined> {
  const askedAt = await databaseNow(deps.pool)
  try {
    const record = await provider.createAccount(orderOf(row))
    return await change(deps, row.id, (account) => applyProviderAccount(account, record), { ...options, askedAt })
  } catch (error) {
    if (error instanceof ProviderRefused) await discardAccount(deps.pool, row.id)
    throw error
  }
}

/** Asks the provider how an account stands and keeps what it says. Throws ProviderError where it cannot be asked. */
export async function refreshAccount(
  deps: AccountDeps,
  provider: Provider,
  row: AccountRow,
  options: ChangeOptions = {},
): Promise<AccountRow | undefined> {
  if (row.externalAccountId === null) return row
  const askedAt = await databaseNow(deps.pool)
  let follow: (account: Account) => Decision = deauthorise
  try {
    const record = await provider.retrieveAccount(row.externalAccountId)
    follow = (account) => applyProviderAccount(account, record)
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
  }
  return change(deps, row.id, follow, { ...options, askedAt })
}

/** A check that was due: confirms what is not confirmed, asks about the rest. Throws ProviderError. */
export async function checkAccount(deps: AccountDeps, row: AccountRow): Promise<void> {
  const provider = deps.providers.get(row.provider as PaymentProvider)
  if (provider === undefined) return
  if (row.externalAccountId !== null) await refreshAccount(deps, provider, row)
  else if (Date.now() - row.createdAt.getTime() < confirmWithinMs) await confirmAccount(deps, provider, row)
  else await discardAccount(deps.pool, row.id)
}

/** Changes an account and has its events sent. */
export async function change(
  deps: AccountDeps,
  accountId: string,
  decide: (account: Account, now: Date) => Decision,
  options?: ChangeOptions,
): Promise<AccountRow | undefined> {
  const row = await changeAccount(deps.pool, deps.origin, accountId, decide, options)
  deps.relay.wake()
  return row
}

/** What a client is told of a provider's failure; anything else is thrown on as it is. */
export function toProblem(error: unknown): unknown {
  return isProviderError(error) ? providerProblem(error) : error
}
