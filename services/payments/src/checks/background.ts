import { isProviderError, roomForChecks } from '@frontdesk/providers'
import type { Logger } from 'pino'
import type { PaymentDeps } from '../payment/deps.ts'
import { claimDueChecks } from '../payment/store.ts'
import { checkPayment } from './check.ts'

const batch = 16

/**
 * Checks the payments that are due: sends `Created` ones again, asks the provider about open ones, and cancels those that
 * are to be cancelled. It takes no more of them than the providers let through, so that none waits long for its turn.
 * Returns whether there may be more.
 */
export async function runDueChecks(deps: PaymentDeps, log: Logger): Promise<boolean> {
  const { room, full } = roomForChecks(deps.providers.paces, batch)
  const rows = await claimDueChecks(deps.pool, deps.schedule, { limit: room, without: full })
  let failures = 0
  await Promise.all(
    rows.map(async (row) => {
      try {
        await checkPayment(deps, row)
      } catch (error) {
        // It is due again at the time that the claim set.
        if (!isProviderError(error)) throw error
        failures += 1
        log.warn({ recordId: row.id, status: row.status, reason: error.message }, 'a payment could not be checked')
      }
    }),
  )
  // While the provider is away the rest would fail as well.
  return rows.length === room && failures < room
}
