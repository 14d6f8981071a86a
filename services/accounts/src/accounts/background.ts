import type { PaymentProvider } from '@frontdesk/contracts'
import { isProviderError, ProviderRefused } from '@frontdesk/providers'
import type { Logger } from 'pino'
import { endProviderDeletion } from './domain.ts'
import { change, checkAccount, type AccountDeps } from './provider.ts'
import { claimDueChecks, claimDueDeletions, type AccountRow } from './store.ts'

const batch = 8

/** Asks providers about the accounts whose check is due. Returns whether there may be more. */
export async function runDueChecks(deps: AccountDeps, log: Logger): Promise<boolean> {
  const rows = await claimDueChecks(deps.pool, batch)
  let failures = 0
  await Promise.all(
    rows.map(async (row) => {
      try {
        await checkAccount(deps, row)
      } catch (error) {
        // It comes again when its claim has run out.
        if (!isProviderError(error)) throw error
        failures += 1
        log.warn({ accountId: row.id, reason: error.message }, 'an account could not be checked')
      }
    }),
  )
  // While the provider is away the rest would fail as well.
  return rows.length === batch && failures < batch
}

/** Has providers delete the accounts of deleted sites, a day later. Returns whether there may be more. */
export async function runDueDeletions(deps: AccountDeps, log: Logger): Promise<boolean> {
  const rows = await claimDueDeletions(deps.pool, batch)
  await Promise.all(rows.map((row) => deleteAtProvider(deps, row, log)))
  return rows.length === batch
}

async function deleteAtProvider(deps: AccountDeps, row: AccountRow, log: Logger): Promise<void> {
  const provider = deps.providers.get(row.provider as PaymentProvider)
  if (provider === undefined) return
  let refusal: ProviderRefused | undefined
  try {
    // Without an identifier the provider has never confirmed it, and there is nothing to delete.
    if (row.externalAccountId !== null) await provider.deleteAccount(row.externalAccountId)
  } catch (error) {
    if (!isProviderError(error)) throw error
    if (!(error instanceof ProviderRefused)) {
      log.warn({ accountId: row.id, reason: error.message }, 'an account could not be deleted at its provider yet')
      return
    }
    refusal = error
    log.warn({ accountId: row.id, reason: error.reason }, 'the provider does not delete the account of a deleted site')
  }
  await change(deps, row.id, (account) => endProviderDeletion(account, refusal))
}
