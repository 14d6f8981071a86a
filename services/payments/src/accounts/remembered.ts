import type { AccountState, PaymentProvider } from '@frontdesk/contracts'

const atMost = 10_000

/**
 * States of accounts as payments were last decided on, in memory. Whoever uses one has the statement that stores the
 * payment check that it is still the newest: it saves a round trip and need not be kept current.
 */
export interface RememberedAccounts {
  get(siteSlug: string, provider: PaymentProvider): AccountState | undefined
  remember(account: AccountState): void
  forget(siteSlug: string, provider: PaymentProvider): void
}

/** Remembers the accounts that were used last. */
export function rememberAccounts(): RememberedAccounts {
  const states = new Map<string, AccountState>()
  const nameOf = (siteSlug: string, provider: PaymentProvider) => `${siteSlug} ${provider}`
  return {
    get: (siteSlug, provider) => states.get(nameOf(siteSlug, provider)),
    remember(account) {
      const name = nameOf(account.siteSlug, account.paymentProvider)
      states.delete(name)
      states.set(name, account)
      // The first one is the one that was remembered longest ago.
      for (const oldest of states.keys()) {
        if (states.size <= atMost) break
        states.delete(oldest)
      }
    },
    forget: (siteSlug, provider) => void states.delete(nameOf(siteSlug, provider)),
  }
}
