import type { PaymentProvider } from '@frontdesk/contracts'
import { isProviderError, ProviderRefused } from '@frontdesk/providers'
import type { Logger } from 'pino'
import type { AccountRow } from '../db.ts'
import { endProviderDeletion } from './domain.ts'
import { change, checkAccount, type AccountDeps } from './provider.ts'
import { claimDueChecks, claimDueDeletions } from './store.ts'

const batch = 8

/** Checks the accounts that are due at their providers. Returns whether more may be due. */
export async function runDueChecks(deps: AccountDeps, log: Logger): Promise<boolean> {
  const rows = await claimDueChecks(deps.pool, batch)
  let failures = 0
  await Promise.all(
    rows.map(async (row) => {
      try {
        await checkAccount(deps, row)
      } catch (error) {
        // It is due again when its lease ends.
        if (!isProviderError(error)) throw error
        failures += 1
        log.warn({ accountId: row.id, reason: error.message }, 'an account could not be checked')
      }
    }),
  )
  // While the provider is unavailable the others would fail too.
  return rows.length === batch && failures < batch
}

/** Has providers delete the accounts of deleted sites, a day later. Returns whether more may be due. */
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
    // Without an identifier the provider has never confirmed the account: there is nothing to delete.
    if (row.externalAccountId !== null) await provider.deleteAccount(row.externalAccountId)
  } catch (error) {
    if (!isProviderError(error)) throw error
    if (!(error instanceof ProviderRefused)) {
      log.warn({ accountId: row.id, reason: error.message }, 'an account could not be deleted at its provider yet')
      return
    }
    refusal = error
    log.warn(
      { accountId: row.id, reason: error.reason },
      'the provider refuses to delete the account of a deleted site',
    )
  }
  await change(deps, row.id, (account) => endProviderDeletion(account, refusal))
}
