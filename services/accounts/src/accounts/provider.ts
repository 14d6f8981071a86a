import type { PaymentProvider } from '@frontdesk/contracts'
import { databaseNow } from '@frontdesk/database'
import type { EventOrigin, Relay } from '@frontdesk/events'
import { isProviderError, providerProblem, ProviderRefused, type Provider, type Providers } from '@frontdesk/providers'
import type { ServiceClock } from '@frontdesk/service/background'
import type { InternalClient } from '@frontdesk/service/calls'
import type { AccountRow, Database } from '../db.ts'
import { confirmWithinMs } from './checks.ts'
import { applyProviderAccount, deauthorise, type Account, type Decision } from './domain.ts'
import { changeAccount, discardAccount, type ChangeOptions } from './store.ts'
import { requestOf } from './wire.ts'

export interface AccountDeps extends Pick<Database, 'pool' | 'prisma'> {
  origin: EventOrigin
  providers: Providers
  /** Calls to our other services. */
  internal: InternalClient
  relay: Pick<Relay, 'wake'>
  /** The time by Postgres's clock, which all replicas share: the age of a row does not depend on this host's own clock. */
  now: ServiceClock['now']
}

/**
 * Has the provider create the account of an unconfirmed row, and saves the answer. A repetition sends the same request
 * under the same idempotency key, so it never creates two accounts. A refusal deletes the row. Throws ProviderError.
 */
export async function confirmAccount(
  deps: AccountDeps,
  provider: Provider,
  row: AccountRow,
  options: ChangeOptions = {},
): Promise<AccountRow | undefined> {
  const askedAt = await databaseNow(deps.pool)
  try {
    const record = await provider.createAccount(requestOf(row, provider))
    return await change(deps, row.id, (account) => applyProviderAccount(account, record), { ...options, askedAt })
  } catch (error) {
    if (error instanceof ProviderRefused) await discardAccount(deps.pool, row.id)
    throw error
  }
}

/** Asks the provider for the state of an account, and saves the answer. Throws ProviderError if it gives none. */
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

/** Runs a check that is due: confirms an unconfirmed account, refreshes any other. Throws ProviderError. */
export async function checkAccount(deps: AccountDeps, row: AccountRow): Promise<void> {
  const provider = deps.providers.get(row.provider as PaymentProvider, 'checks')
  if (provider === undefined) return
  if (row.externalAccountId !== null) await refreshAccount(deps, provider, row)
  else if (deps.now().getTime() - row.createdAt.getTime() < confirmWithinMs) await confirmAccount(deps, provider, row)
  else await discardAccount(deps.pool, row.id)
}

/**
 * Returns how many payments of the account's site are open at its provider: payments that may still be paid, and money on its
 * way back. Throws `service_unavailable` if payments does not answer.
 */
export async function countOpenPayments(deps: AccountDeps, row: AccountRow, traceparent?: string): Promise<number> {
  const about = { SiteSlug: row.siteSlug, Provider: row.provider as PaymentProvider }
  const options = traceparent === undefined ? {} : { traceparent }
  return (await deps.internal.call('countOpenPayments', about, options)).open
}

/** Changes an account, and has its events published. */
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

/** Awaits a call to a provider. Throws the problem for the client in place of a ProviderError. */
export async function orProblem<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } catch (error) {
    throw isProviderError(error) ? providerProblem(error) : error
  }
}
