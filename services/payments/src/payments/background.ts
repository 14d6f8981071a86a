import { isProviderError } from '@frontdesk/providers'
import type { Logger } from 'pino'
import { checkPayment, type PaymentDeps } from './provider.ts'
import { claimDueChecks } from './store.ts'

const batch = 16

/**
 * Checks the payments that are due: `Created` ones are sent again (the sweep), open ones are asked about, those of deleted
 * sites are cancelled. Returns whether there may be more.
 */
export async function runDueChecks(deps: PaymentDeps, log: Logger): Promise<boolean> {
  const rows = await claimDueChecks(deps.pool, deps, batch)
  let failures = 0
  await Promise.all(
    rows.map(async (row) => {
      try {
        await checkPayment(deps, row)
      } catch (error) {
        // It comes again when its claim has run out.
        if (!isProviderError(error)) throw error
        failures += 1
        log.warn({ recordId: row.id, status: row.status, reason: error.message }, 'a payment could not be checked')
      }
    }),
  )
  // While the provider is away the rest would fail as well.
  return rows.length === batch && failures < batch
}
