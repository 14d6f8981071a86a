import type {
  AccountState,
  AccountStatus,
  EventData,
  PaymentCreation,
  PaymentProvider,
  PaymentStatus,
  PaymentUiMode,
  RefundStatus,
  SiteAccess,
} from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import type { CheckoutOrder, ProviderDispute, RefundRequest } from '@frontdesk/providers'

/** The site as it was when the payment was created. Its events say this for ever. */
export type PaymentSite = Pick<
  SiteAccess,
  'slug' | 'practiceManagementSystem' | 'pmsSpecificId' | 'owningOrganisation' | 'billingOrganisation'
>

export type PaymentOutcome = 'succeeded' | 'failed' | 'cancelled'
export type CancellationReason = 'requested_by_client' | 'expired' | 'site_deleted' | 'provider'

/** A refund of a payment, made by us or elsewhere. `amount` is in ISO 4217 minor units. */
export interface Refund {
  readonly refundId: string
  readonly amount: number
  readonly currency: string
  readonly reason?: string | undefined
  readonly reference?: string | undefined
  readonly createdAt: Date
  /** The exact request, sent unchanged however often; undefined if it was made elsewhere. */
  readonly request?: RefundRequest | undefined

  readonly status: RefundStatus
  /** False if the client was told that it does not exist: refused within the request, or never sent. */
  readonly listed: boolean
  /** The event that was sent last. */
  readonly outcome?: 'succeeded' | 'failed' | undefined
  /** The provider's own id: it has the refund. */
  readonly providerRefundId?: string | undefined
  readonly failureReason?: string | undefined
}

/** A payment's state with its refunds and disputes: they are decided on and saved together. Amounts are ISO 4217 minor units. */
export interface Payment {
  readonly recordId: string
  readonly site: PaymentSite
  readonly provider: PaymentProvider
  /** The provider's id of the account that takes the money. */
  readonly providerAccountId: string
  readonly uiMode: PaymentUiMode
  readonly currency: string
  readonly amount: number
  readonly feeAmount: number
  readonly reference?: string | undefined
  readonly customerId?: string | undefined
  readonly statementDescriptor?: string | undefined
  /** The text on the customer's card statement, with its prefix; undefined if the provider does not tell it. */
  readonly cardStatementText?: string | undefined
  readonly createdAt: Date

  readonly status: PaymentStatus
  /** Grows with every change. */
  readonly version: number
  /** False if the provider refused within the request: the client was told 422, so there is nothing to list. */
  readonly listed: boolean
  /** The outcome event that was sent. */
  readonly outcome?: PaymentOutcome | undefined
  /** Why it is to be cancelled. It is cancelled once the provider confirms that nobody can pay any more. */
  readonly cancelling?: CancellationReason | undefined

  readonly tipAmount: number
  /** The sum that the provider took; undefined until it is paid. It may differ from the order. */
  readonly paidAmount?: number | undefined
  readonly paidCurrency?: string | undefined
  /** In the order of their ids, which is that of their creation. */
  readonly refunds: readonly Refund[]
  /** The sum of the refunds that have succeeded. */
  readonly amountRefunded: number
  /** The newest one, as the provider told it last. */
  readonly dispute?: ProviderDispute | undefined
  /** Since when the provider does not tell what becomes of it, although it was asked until the end of the schedule. */
  readonly unreachableSince?: Date | undefined
  /** The provider's own identifiers; `paymentId` is the checkout's and stays for life. */
  readonly paymentId?: string | undefined
  readonly paymentIntentId?: string | undefined
  readonly chargeId?: string | undefined
  /** The provider's code of the last refused attempt. */
  readonly declineCode?: string | undefined
  /** One of the two is present while the checkout is open, and neither before or after. */
  readonly checkoutUrl?: string | undefined
  readonly clientSecret?: string | undefined
  readonly expiresAt?: Date | undefined
}

/** An entry to append to the history, in order. */
export interface HistoryNote {
  readonly at: Date
  readonly status: PaymentStatus
  readonly description: string
}

type EventTypes =
  | 'payment.created'
  | 'payment.succeeded'
  | 'payment.settled'
  | 'payment.failed'
  | 'payment.cancelled'
  | 'refund.succeeded'
  | 'refund.failed'
  | 'dispute.opened'
  | 'dispute.closed'
/** An event of a payment, its refunds or its disputes. The payment is its aggregate, so their order is kept. */
export type PaymentEvent = {
  [Type in EventTypes]: { readonly type: Type; readonly data: EventData<Type> }
}[EventTypes]

/** What a person must look at. */
export interface PaymentAlert {
  readonly code:
    | 'money_after_failed'
    | 'money_after_cancelled'
    | 'amount_differs'
    | 'outcome_unknown'
    | 'paid_by_proof'
    | 'refund_after_failed'
    | 'refund_outcome_unknown'
  readonly detail: string
}

/** A change to be saved in one transaction. If nothing changes, `next` is the very same object. */
export interface Decision {
  readonly next: Payment
  readonly history: readonly HistoryNote[]
  readonly events: readonly PaymentEvent[]
  readonly alerts: readonly PaymentAlert[]
}

/** Neither ended nor paid: such a payment keeps its account from being deleted. */
export const openStatuses: readonly PaymentStatus[] = ['Created', 'Pending', 'Declined', 'Processing']
/** The customer may still pay: the record shows where. */
export const payableStatuses: readonly PaymentStatus[] = ['Pending', 'Declined']

const largestAmount = 99_999_999

/** Whether an account in this status can take payments. */
export function canCharge(status: AccountStatus | undefined): boolean {
  return status === 'Active' || status === 'Restricted'
}

export interface NewPaymentContext {
  recordId: string
  site: SiteAccess
  /** The known state of the site's account at the command's provider. */
  account: AccountState | undefined
  /** Our own page for customers who are done, if the command names none. */
  landingUrl: string
}

/**
 * Returns the payment that a command asks for, as `Created`, and the order from which the provider builds its request.
 * Throws the problems site_suspended, line_items_required, amount_too_small, amount_too_large, provider_account_not_ready.
 */
export function newPayment(
  command: PaymentCreation,
  { recordId, site, account, landingUrl }: NewPaymentContext,
  now: Date,
): Decision & { order: CheckoutOrder } {
  if (site.status !== 'Operational') throw problem('site_suspended', `the site is ${site.status}`)
  const amount = totalOf(command)
  const charged = chargeableAccount(account, command.PaymentProvider)

  const next: Payment = {
    recordId,
    site: snapshotOf(site),
    provider: command.PaymentProvider,
    providerAccountId: charged.externalAccountId,
    uiMode: command.UiMode ?? 'Hosted',
    currency: command.Currency,
    amount,
    feeAmount: Math.min(command.FeeAmount ?? 0, amount),
    reference: command.Reference,
    customerId: command.CustomerId,
    statementDescriptor: command.StatementDescriptor,
    createdAt: now,
    status: 'Created',
    version: 1,
    listed: true,
    tipAmount: 0,
    refunds: [],
    amountRefunded: 0,
  }
  const order: CheckoutOrder = {
    recordId,
    site: next.site,
    providerAccountId: next.providerAccountId,
    currency: next.currency,
    lineItems: command.LineItems ?? [],
    feeAmount: next.feeAmount,
    uiMode: next.uiMode,
    reference: next.reference,
    customerId: next.customerId,
    statementDescriptor: next.statementDescriptor,
    statementDescriptorPrefix: charged.statementDescriptorPrefix,
    successUrl: command.SuccessUrl,
    cancelUrl: command.CancelUrl,
    landingUrl,
  }
  const history = [{ at: now, status: next.status, description: 'Payment created' }]
  return { next, history, events: [], alerts: [], order }
}

/** Returns the sum of Price x Quantity. */
function totalOf({ LineItems: items = [] }: PaymentCreation): number {
  const refuse = (code: 'line_items_required' | 'amount_too_small' | 'amount_too_large', detail: string) =>
    problem(code, { detail, errors: [{ pointer: '/LineItems', detail }] })
  if (items.length === 0) throw refuse('line_items_required', 'at least one line item is needed')
  // Beyond 2^53 the sum is no longer exact, but far beyond the limit.
  const total = items.reduce((sum, { Price, Quantity = 1 }) => sum + Price * Quantity, 0)
  if (total === 0) throw refuse('amount_too_small', 'the line items add up to nothing')
  if (total > largestAmount) throw refuse('amount_too_large', `the line items add up to more than ${largestAmount}`)
  return total
}

function chargeableAccount(account: AccountState | undefined, provider: PaymentProvider) {
  const { externalAccountId } = account ?? {}
  if (account !== undefined && externalAccountId !== undefined && canCharge(account.status)) {
    return { ...account, externalAccountId }
  }
  const detail = account
    ? `the site's ${provider} account cannot charge yet: it is ${account.status}`
    : `the site has no ${provider} account`
  throw problem('provider_account_not_ready', detail)
}

function snapshotOf({
  slug,
  practiceManagementSystem: system,
  pmsSpecificId,
  owningOrganisation,
  billingOrganisation,
}: SiteAccess): PaymentSite {
  return { slug, practiceManagementSystem: system, pmsSpecificId, owningOrganisation, billingOrganisation }
}

/** Returns the members that the events of a payment share; a member without a value is absent. */
export function eventMembers({ reference, recordId, provider }: Payment) {
  return { ...(reference === undefined ? {} : { reference }), recordId, paymentProvider: provider }
}

export const unchanged = (payment: Payment): Decision => ({ next: payment, history: [], events: [], alerts: [] })

/**
 * Marks a payment to be cancelled at the client's request. It becomes `Cancelled` when the provider's record confirms that
 * its checkout has expired, so: save this, expire the checkout, apply the answer.
 * A payment that is cancelled stays as it is. Throws the problem payment_not_cancellable.
 */
export function cancel(payment: Payment): Decision {
  if (payment.status === 'Cancelled') return unchanged(payment)
  if (!isCancellable(payment)) {
    throw problem('payment_not_cancellable', { detail: `the payment is ${payment.status}` })
  }
  return marked(payment, 'requested_by_client')
}

/** Marks a payment of a deleted site like `cancel`. A payment that can no longer be cancelled stays as it is. */
export function siteDeleted(payment: Payment): Decision {
  return isCancellable(payment) ? marked(payment, 'site_deleted') : unchanged(payment)
}

function isCancellable({ status }: Payment): boolean {
  return status === 'Created' || status === 'Pending' || status === 'Declined'
}

function marked(payment: Payment, reason: CancellationReason): Decision {
  if (payment.cancelling !== undefined) return unchanged(payment)
  return { ...unchanged(payment), next: { ...payment, cancelling: reason, version: payment.version + 1 } }
}
