import { databaseNow } from '@frontdesk/database'
import type { EventOrigin, Relay } from '@frontdesk/events'
import {
  isProviderError,
  providerProblem,
  ProviderRefused,
  type CheckoutKey,
  type Provider,
  type Providers,
} from '@frontdesk/providers'
import type { KeyRing } from '@frontdesk/service/encryption'
import type { Database } from '../db.ts'
import { isOverdue, type CheckSchedule } from './checks.ts'
import { payableStatuses, unchanged, type Decision, type Payment } from './domain.ts'
import { applySnapshot, giveUp, refuse } from './outcome.ts'
import { fromRow, requestOf, type PaymentRow } from './rows.ts'
import { changePayment, type ChangeOptions } from './store.ts'
import type { PaymentTelemetry } from './telemetry.ts'

/** What it takes to ask a provider about payments and to keep what it says. */
export interface PaymentDeps extends Pick<Database, 'pool' | 'prisma'> {
  origin: EventOrigin
  ring: KeyRing
  providers: Providers
  relay: Pick<Relay, 'wake'>
  telemetry: PaymentTelemetry
  schedule: CheckSchedule
}

/** Changes a payment, has its events sent and its alerts raised. Undefined where there is none, or it was received before. */
export async function change(
  deps: PaymentDeps,
  recordId: string,
  decide: (payment: Payment, now: Date) => Decision,
  options?: ChangeOptions,
): Promise<Payment | undefined> {
  const changed = await changePayment(deps.pool, deps, recordId, decide, options)
  if (changed === undefined) return undefined
  if (changed.decision.events.length > 0) deps.relay.wake()
  deps.telemetry.changed(changed)
  return changed.payment
}

/**
 * Sends the stored request of a payment that is still `Created`, unchanged and under the same key: the provider makes one
 * checkout, however often. Throws ProviderError; a refusal has ended the payment by then.
 */
export async function sendStored(
  deps: PaymentDeps,
  provider: Provider,
  row: PaymentRow,
  within: 'request' | 'sweep',
): Promise<Payment | undefined> {
  const askedAt = await databaseNow(deps.pool)
  try {
    const checkout = await provider.createCheckout(requestOf(row))
    return await change(deps, row.id, (payment, now) => applySnapshot(payment, checkout, now), { askedAt })
  } catch (error) {
    if (error instanceof ProviderRefused)
      await change(deps, row.id, (payment, now) => refuse(payment, error, within, now))
    throw error
  }
}

/**
 * Follows the provider's own record of a payment's checkout; one that is to be cancelled is expired on the way.
 * Throws ProviderError.
 */
export async function follow(
  deps: PaymentDeps,
  provider: Provider,
  payment: Payment,
  key: CheckoutKey,
  options: ChangeOptions = {},
): Promise<Payment | undefined> {
  const askedAt = options.askedAt ?? (await databaseNow(deps.pool))
  const isToExpire = payment.cancelling !== undefined && payableStatuses.includes(payment.status)
  const checkout = isToExpire ? await provider.expireCheckout(key) : await provider.retrieveCheckout(key)
  return change(deps, payment.recordId, (current, now) => applySnapshot(current, checkout, now), {
    ...options,
    askedAt,
  })
}

/** The key of a payment's checkout, once the provider has told it. */
export function checkoutKey({ paymentId, providerAccountId }: Payment): CheckoutKey | undefined {
  return paymentId === undefined ? undefined : { id: paymentId, providerAccountId }
}

/**
 * Brings a payment to where the provider has it: for schedules and reads. What the provider will not tell until the end of
 * the schedule is given up. Throws ProviderError where it cannot be asked.
 */
export async function checkPayment(deps: PaymentDeps, row: PaymentRow): Promise<void> {
  const payment = fromRow(row, deps.ring)
  const overdue = isOverdue(payment, new Date())
  const provider = deps.providers.get(payment.provider)
  const key = checkoutKey(payment)
  try {
    if (provider === undefined) throw new ProviderRefused('provider_rejected', 'the provider is no longer configured')
    if (key !== undefined) await follow(deps, provider, payment, key)
    else if (overdue) await change(deps, row.id, giveUp)
    else await sendStored(deps, provider, row, 'sweep')
  } catch (error) {
    if (!isProviderError(error)) throw error
    if (overdue) await change(deps, row.id, giveUp)
    else if (!(error instanceof ProviderRefused)) throw error
    // Refused for good: what was `Created` has ended by that, the rest waits for its next turn in the schedule.
    else if (key !== undefined) await change(deps, row.id, unchanged, { askedAt: await databaseNow(deps.pool) })
  }
}

/** What a client is told of a provider's failure, with the record it can ask for; anything else is thrown on as it is. */
export function toProblem(error: unknown, recordId?: string): unknown {
  return isProviderError(error) ? providerProblem(error, recordId === undefined ? {} : { RecordId: recordId }) : error
}
