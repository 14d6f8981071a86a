import { databaseNow } from '@frontdesk/database'
import { isProviderError, ProviderRefused, type Priority } from '@frontdesk/providers'
import { within } from '@frontdesk/service/background'
import type { PaymentDeps } from '../payment/deps.ts'
import { giveUp } from '../payment/outcome.ts'
import { checkoutKey, follow, resend } from '../payment/provider.ts'
import { freshForMs, isOverdue, longestRequestMs } from '../payment/schedule.ts'
import { changePayment, findPayment } from '../payment/store.ts'
import { fromRow, type PaymentRow } from '../payment/wire.ts'
import { acceptUntold, isOutOfReach } from '../provider-events/untold.ts'
import { sendRefunds } from '../refunds/sending.ts'

/**
 * Brings a payment to the state that the provider has, unless somebody in this process is asking about it: then it waits for
 * that answer. A payment whose state the provider does not tell until the end of the schedule is given up.
 * Throws ProviderError if the provider cannot be asked.
 */
export async function checkPayment(deps: PaymentDeps, row: PaymentRow): Promise<void> {
  const other = deps.questions.underWay(row.id)
  if (other !== undefined) return void (await other)
  await deps.questions.ask(row.id, () => askAbout(deps, row, 'checks'))
}

/** Asks the provider about a payment, and returns when. Throws ProviderError. */
async function askAbout(deps: PaymentDeps, row: PaymentRow, priority: Priority): Promise<Date> {
  const askedAt = await databaseNow(deps.pool)
  const payment = fromRow(row, deps.ring)
  const provider = deps.providers.get(payment.provider, priority)
  const overdue = isOverdue(payment, new Date(), provider?.capabilities.idempotencyWindowMs)
  const key = checkoutKey(payment)
  try {
    if (provider === undefined) throw new ProviderRefused('provider_rejected', 'the provider is no longer configured')
    if (key !== undefined) await sendRefunds(deps, provider, await follow(deps, provider, payment, key, { askedAt }))
    else if (overdue) await changePayment(deps, row.id, giveUp)
    // A payment that was withdrawn must not become payable.
    else if (payment.status === 'Created') await resend(deps, provider, row, askedAt)
  } catch (error) {
    if (!isProviderError(error)) throw error
    const isRefused = error instanceof ProviderRefused
    if (!isRefused && !overdue) throw error
    const isFinal = overdue || (isRefused && isOutOfReach(error))
    // The refusal has ended a `Created` payment. Any other stays open.
    if (key !== undefined) await acceptUntold(deps, row, { isFinal, askedAt })
    else if (overdue) await changePayment(deps, row.id, giveUp)
  }
  return askedAt
}

/** How long a read waits for the provider before it answers with the stored payment. */
const readWaitMs = 2_000

/**
 * Returns a payment for a read. If the provider's last answer is old, the provider is asked first, so that a lost webhook
 * does not outlive the next read. However many read it at once, they share one question.
 */
export async function refreshPayment(deps: PaymentDeps, row: PaymentRow): Promise<PaymentRow> {
  if (!isStale(deps, row)) return row
  const answered = deps.questions.underWay(row.id) ?? deps.questions.ask(row.id, () => askIfStale(deps, row))
  await within<unknown>(readWaitMs, answered)
  return (await findPayment(deps.pool, row.id)) ?? row
}

/** Asks the provider about a payment, unless somebody else has since it was read. */
async function askIfStale(deps: PaymentDeps, read: PaymentRow): Promise<Date> {
  const row = (await findPayment(deps.pool, read.id)) ?? read
  return row.checkedAt !== null && !isStale(deps, row) ? row.checkedAt : askAbout(deps, row, 'reads')
}

/** Whether the provider's last answer about a payment is too old for a read. */
function isStale(deps: PaymentDeps, row: PaymentRow): boolean {
  const now = deps.now().getTime()
  const payment = fromRow(row, deps.ring)
  const freshMs = freshForMs(payment, now - row.changedAt.getTime())
  const isInRequest = payment.status === 'Created' && now - row.createdAt.getTime() < longestRequestMs
  return freshMs !== undefined && !isInRequest && now - (row.checkedAt?.getTime() ?? 0) >= freshMs
}
