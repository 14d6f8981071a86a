import type { AccountState, PaymentProvider } from '@frontdesk/contracts'
import { ProblemError } from '@frontdesk/problems'
import type { PaymentDeps } from '../payment/deps.ts'
import { saveAccountCopy } from './store.ts'

/**
 * Asks the accounts service for the site's account at a provider, and stores the answer. Undefined if there is none.
 * Throws `service_unavailable` if accounts cannot be reached: then nobody knows whether the payment may be refused.
 */
export async function askAccounts(
  { pool, internal }: Pick<PaymentDeps, 'pool' | 'internal'>,
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
