import { databaseNow } from '@frontdesk/database'
import { isProviderError, ProviderRefused } from '@frontdesk/providers'
import { within } from '@frontdesk/service/background'
import type { PaymentDeps } from '../payment/deps.ts'
import { unchanged } from '../payment/domain.ts'
import { giveUp } from '../payment/outcome.ts'
import { checkoutKey, follow, resend } from '../payment/provider.ts'
import { freshForMs, isOverdue, longestRequestMs } from '../payment/schedule.ts'
import { changePayment, findPayment } from '../payment/store.ts'
import { fromRow, type PaymentRow } from '../payment/wire.ts'

/**
 * Brings a payment to the state that the provider has. A payment whose state the provider does not tell until the end of
 * the schedule is given up. Throws ProviderError if the provider cannot be asked.
 */
export async function checkPayment(deps: PaymentDeps, row: PaymentRow): Promise<void> {
  const payment = fromRow(row, deps.ring)
  const overdue = isOverdue(payment, new Date())
  const provider = deps.providers.get(payment.provider)
  const key = checkoutKey(payment)
  try {
    if (provider === undefined) throw new ProviderRefused('provider_rejected', 'the provider is no longer configured')
    if (key !== undefined) await follow(deps, provider, payment, key)
    else if (overdue) await changePayment(deps, row.id, giveUp)
    else await resend(deps, provider, row)
  } catch (error) {
    if (!isProviderError(error)) throw error
    if (overdue) await changePayment(deps, row.id, giveUp)
    else if (!(error instanceof ProviderRefused)) throw error
    // The refusal has ended a `Created` payment. Any other waits for its next check.
    else if (key !== undefined) await changePayment(deps, row.id, unchanged, { askedAt: await databaseNow(deps.pool) })
  }
}

/** How long a read waits for the provider before it answers with the stored payment. */
const readWaitMs = 2_000

/**
 * Returns a payment for a read. If the provider's last answer is old, the provider is asked first, so that a lost webhook
 * does not outlive the next read.
 */
export async function refreshPayment(deps: PaymentDeps, row: PaymentRow): Promise<PaymentRow> {
  const now = Date.now()
  const payment = fromRow(row, deps.ring)
  const freshMs = freshForMs(payment, now - row.changedAt.getTime())
  const isInRequest = payment.status === 'Created' && now - row.createdAt.getTime() < longestRequestMs
  if (freshMs === undefined || isInRequest || now - (row.checkedAt?.getTime() ?? 0) < freshMs) return row
  await within(readWaitMs, checkPayment(deps, row))
  return (await findPayment(deps.pool, row.id)) ?? row
}
