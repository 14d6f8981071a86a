import type { PaymentProvider } from '@frontdesk/contracts'
import type { CheckoutOrigin, ListedCheckout } from '@frontdesk/providers'
import type { Decision, Payment } from '../payment/domain.ts'
import { applySnapshot } from '../payment/outcome.ts'

/** The account at whose provider a checkout was found. */
export interface ListedAccount {
  provider: PaymentProvider
  providerAccountId: string
  siteSlug: string
  isDeleted: boolean
}

/** Why a payment cannot be made again from its checkout; undefined if it can. */
export function whyNotRestorable({ origin }: ListedCheckout, { siteSlug }: ListedAccount): string | undefined {
  if (origin === undefined) return 'its metadata does not tell enough about the payment'
  // The account holder can write any metadata: money must not be booked for another site.
  if (origin.site.slug !== siteSlug) return `it names the site ${origin.site.slug}, but the account is of ${siteSlug}`
  return undefined
}

/**
 * Makes a lost payment again: with the amounts that the provider holds, in the state that the provider implies, with the
 * events for it.
 */
export function restoredPayment(
  { checkout, createdAt, uiMode, recordId }: ListedCheckout,
  origin: CheckoutOrigin,
  { provider, providerAccountId }: ListedAccount,
  now: Date,
): Decision {
  const created: Payment = {
    recordId,
    site: origin.site,
    provider,
    providerAccountId,
    uiMode,
    currency: checkout.currency,
    amount: checkout.amountTotal,
    feeAmount: Math.min(origin.feeAmount, checkout.amountTotal),
    reference: origin.reference,
    customerId: origin.customerId,
    statementDescriptor: origin.statementDescriptor,
    createdAt,
    status: 'Created',
    version: 1,
    listed: true,
    tipAmount: 0,
    refunds: [],
    amountRefunded: 0,
  }
  const { history, ...decision } = applySnapshot(created, checkout, now)
  const first = {
    at: createdAt,
    status: created.status,
    description: "Payment created; restored from the provider's checkout",
  }
  return { ...decision, history: [first, ...history] }
}
