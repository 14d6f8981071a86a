import { databaseNow } from '@frontdesk/database'
import {
  isProviderError,
  providerProblem,
  ProviderRefused,
  type CheckoutKey,
  type Provider,
} from '@frontdesk/providers'
import type { PaymentDeps } from './deps.ts'
import { payableStatuses, type Payment } from './domain.ts'
import { applySnapshot, refuse } from './outcome.ts'
import { changePayment, type ChangeOptions } from './store.ts'
import { requestOf, type PaymentRow } from './wire.ts'

/**
 * Sends the stored request of a payment that is still `Created` again, after its own request has ended. It is unchanged
 * and has the same key, so the provider makes one checkout, however often it is sent.
 * Throws ProviderError; a refusal has ended the payment by then.
 */
export async function resend(deps: PaymentDeps, provider: Provider, row: PaymentRow, asked?: Date): Promise<Payment> {
  const askedAt = asked ?? (await databaseNow(deps.pool))
  try {
    const checkout = await provider.createCheckout(requestOf(row))
    const decide = (payment: Payment, now: Date) => applySnapshot(payment, checkout, now)
    return (await changePayment(deps, row.id, decide, { askedAt })).payment
  } catch (error) {
    if (error instanceof ProviderRefused)
      await changePayment(deps, row.id, (payment, now) => refuse(payment, error, 'sweep', now))
    throw error
  }
}

/**
 * Applies the provider's own record of a payment's checkout. The checkout of a payment that is to be cancelled is expired
 * first. Returns the payment as it is then. Throws ProviderError.
 */
export async function follow(
  deps: PaymentDeps,
  provider: Provider,
  payment: Payment,
  key: CheckoutKey,
  options: ChangeOptions = {},
): Promise<Payment> {
  const askedAt = options.askedAt ?? (await databaseNow(deps.pool))
  const isToExpire = payment.cancelling !== undefined && payableStatuses.includes(payment.status)
  const facts = { hasRefunds: payment.refunds.length > 0 || payment.amountRefunded > 0 }
  const checkout = isToExpire ? await provider.expireCheckout(key) : await provider.retrieveCheckout(key, facts)
  const decide = (current: Payment, now: Date) => applySnapshot(current, checkout, now)
  return (await changePayment(deps, payment.recordId, decide, { ...options, askedAt })).payment
}

/** Returns the key of a payment's checkout; undefined until the provider has told it. */
export function checkoutKey({ paymentId, providerAccountId }: Payment): CheckoutKey | undefined {
  return paymentId === undefined ? undefined : { id: paymentId, providerAccountId }
}

/** Returns the problem for a provider's failure, with the record that the client can ask for; any other error as it is. */
export function toProblem(error: unknown, recordId?: string): unknown {
  return isProviderError(error) ? providerProblem(error, recordId === undefined ? {} : { RecordId: recordId }) : error
}
