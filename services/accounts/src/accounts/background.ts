import type { PaymentProvider } from '@frontdesk/contracts'
import { ProblemError } from '@frontdesk/problems'
import { isProviderError, ProviderRefused, roomForChecks, type Provider } from '@frontdesk/providers'
import type { Logger } from 'pino'
import type { AccountRow } from '../db.ts'
import { endProviderDeletion, isOpenForTooLong } from './domain.ts'
import { change, checkAccount, countOpenPayments, type AccountDeps } from './provider.ts'
import { claimDueChecks, claimDueDeletions } from './store.ts'
import { fromRow } from './wire.ts'

const batch = 8

/**
 * Checks the accounts that are due at their providers, no more of them than the providers let through: one that waited in vain
 * for its turn would be due again only when its lease ends. Returns whether more may be due.
 */
export async function runDueChecks(deps: AccountDeps, log: Logger): Promise<boolean> {
  const { room, full } = roomForChecks(deps.providers.paces, batch)
  const rows = await claimDueChecks(deps.pool, { limit: room, without: full })
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
  return rows.length === room && failures < room
}

/**
 * Has providers delete the accounts of deleted sites, a day later, or when their last payment, refund and dispute has ended.
 * Returns whether more may be due.
 */
export async function runDueDeletions(deps: AccountDeps, log: Logger): Promise<boolean> {
  const { room, full } = roomForChecks(deps.providers.paces, batch)
  const rows = await claimDueDeletions(deps.pool, { limit: room, without: full })
  await Promise.all(rows.map((row) => deleteAtProvider(deps, row, log)))
  return rows.length === room
}

async function deleteAtProvider(deps: AccountDeps, row: AccountRow, log: Logger): Promise<void> {
  const provider = deps.providers.get(row.provider as PaymentProvider, 'checks')
  if (provider === undefined) return
  try {
    const note = await deletionAtProvider(deps, provider, row, log)
    if (note !== undefined) await change(deps, row.id, (account) => endProviderDeletion(account, note))
  } catch (error) {
    // It is due again, ever later.
    if (!isProviderError(error) && !(error instanceof ProblemError)) throw error
    log.warn({ accountId: row.id, reason: error.message }, 'an account could not be deleted at its provider yet')
  }
}

/** Returns the outcome of the deletion; undefined if it waits for payments. Throws if payments or the provider is unavailable. */
async function deletionAtProvider(
  deps: AccountDeps,
  provider: Provider,
  row: AccountRow,
  log: Logger,
): Promise<string | undefined> {
  // Without an identifier the provider has never confirmed the account: there is nothing to delete.
  if (row.externalAccountId === null) return 'deleted'
  const open = await countOpenPayments(deps, row)
  if (open > 0) {
    const about = { accountId: row.id, siteSlug: row.siteSlug, open }
    if (!isOpenForTooLong(fromRow(row), new Date())) {
      log.info(about, 'the account of a deleted site waits for payments before it is deleted at its provider')
      return undefined
    }
    log.warn(about, 'the account of a deleted site stays at its provider: its payments do not end')
    return `kept: ${open} payments do not end`
  }
  try {
    await provider.deleteAccount(row.externalAccountId)
    return 'deleted'
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    const about = { accountId: row.id, reason: error.reason }
    log.warn(about, 'the provider refuses to delete the account of a deleted site')
    return `refused: ${error.details.code ?? error.reason}`
  }
}
