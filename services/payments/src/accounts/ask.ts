import type { AccountState, PaymentProvider } from '@frontdesk/contracts'
import type { Pool } from '@frontdesk/database'
import { ProblemError } from '@frontdesk/problems'
import type { InternalClient } from '@frontdesk/service/calls'
import { saveAccountCopy } from './store.ts'

/**
 * Asks the accounts service for the site's account at a provider, and keeps the answer. Undefined where there is none.
 * Throws `service_unavailable` where accounts cannot be asked: then nobody knows whether the payment may be refused.
 */
export async function askAccounts(
  { pool, internal }: { pool: Pool; internal: InternalClient },
  siteSlug: string,
  provider: PaymentProvider,
  traceparent: string,
): Promise<AccountState | undefined> {
  try {
    const state = await internal.call('getAccountState', { SiteSlug: siteSlug, Provider: provider }, { traceparent })
    await saveAccountCopy(pool, state)
    return state
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'account_not_found') return undefined
    throw error
  }
}
