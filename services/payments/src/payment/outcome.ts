import type { PaymentStatus } from '@frontdesk/contracts'
import type { ProviderCheckout, ProviderRefused } from '@frontdesk/providers'
import { addDispute, addRefund, adoptRefunds, correctSum, decided, draftOf, type Draft } from './afterwards.ts'
import {
  eventMembers,
  openStatuses,
  unchanged,
  type Decision,
  type Payment,
  type PaymentAlert,
  type PaymentEvent,
  type PaymentOutcome,
} from './domain.ts'
import { impliedStatus, paidStatuses, stepsTo } from './transitions.ts'

/**
 * Moves a payment to the status that the provider's own record implies: forward through every status on the way until it is
 * paid, with at most one outcome event for its life; then wherever its refunds and disputes lead. The exception: money
 * proven after Failed or Cancelled completes it, sends `payment.succeeded` and raises an alert. A record that changes
 * nothing (late, repeated) returns the same payment.
 */
export function applySnapshot(payment: Payment, checkout: ProviderCheckout, now: Date): Decision {
  const implied = impliedStatus(checkout)
  const wasPaid = paidStatuses.includes(payment.status)
  if (isOutdated(payment, checkout) || (wasPaid && implied !== 'Completed')) return unchanged(payment)
  const steps = saysNothingNew(payment, checkout, implied) ? [] : stepsTo(payment.status, implied)
  if (!wasPaid && steps.length === 0 && implied !== payment.status) return unchanged(payment)

  const facts = factsOf(payment, checkout)
  const draft = draftOf(isKnown(payment, facts) ? payment : { ...payment, ...facts })
  for (const status of steps) {
    if (status === 'Completed') {
      const { feeAmount, paymentIntentId, id, paidAt } = checkout
      complete(draft, { checkoutId: id, feeAmount, how: named(paymentIntentId ?? id, paidAt) }, now)
    } else enter(draft, status, checkout, now)
  }
  if (implied === 'Completed') {
    adoptRefunds(draft, checkout.refunds)
    for (const refund of checkout.refunds) addRefund(draft, refund, now)
    correctSum(draft, now)
    if (checkout.dispute !== undefined) addDispute(draft, checkout.dispute, now)
  }
  return announced(payment, draft)
}

/** A signed event's proof that the provider took this money. `amount` is in ISO 4217 minor units. */
export interface PaidProof {
  /** The provider's id of the checkout. */
  checkoutId: string
  amount: number
  currency: string
  paymentIntentId?: string | undefined
  /** When the provider says that it happened. */
  at?: Date | undefined
}

/**
 * Completes a payment by the provider's signed event that it is paid, for the time that the provider refuses to tell: the
 * account has revoked our access. A person is told. A payment that is paid already stays as it is.
 */
export function paidByProof(payment: Payment, proof: PaidProof, now: Date): Decision {
  const steps = stepsTo(payment.status, 'Completed')
  if (steps.length === 0) return unchanged(payment)
  const paymentIntentId = proof.paymentIntentId ?? payment.paymentIntentId
  const draft = draftOf({
    ...payment,
    paymentId: payment.paymentId ?? proof.checkoutId,
    paymentIntentId,
    paidAmount: proof.amount,
    paidCurrency: proof.currency,
    checkoutUrl: undefined,
    clientSecret: undefined,
    unreachableSince: undefined,
  })
  const how = `${named(paymentIntentId ?? proof.checkoutId, proof.at)} by a signed event`
  complete(draft, { checkoutId: proof.checkoutId, feeAmount: payment.feeAmount, how }, now)
  const detail = 'the provider no longer tells; its signed event proves the money'
  draft.alerts.push({ code: 'paid_by_proof', detail })
  return announced(payment, draft)
}

/** Returns the decision, which begins with `payment.created` if nobody was told of the payment yet. */
function announced(payment: Payment, draft: Draft): Decision {
  const decision = decided(payment, draft)
  if (payment.status !== 'Created' || decision.next === payment) return decision
  return { ...decision, events: [createdEvent(decision.next), ...decision.events] }
}

/** Has the payment enter a status before it is paid, or an end without money. */
function enter(draft: Draft, status: PaymentStatus, checkout: ProviderCheckout, now: Date): void {
  const outcome = outcomeOf(draft.next, status, checkout)
  if (outcome !== undefined) draft.events.push(outcome.event)
  draft.history.push({ at: now, status, description: describe(status, draft.next, checkout) })
  draft.next = { ...draft.next, status, outcome: outcome?.name ?? draft.next.outcome }
}

/** Has the payment be paid: subscribers are told what was taken, once, and a person if that is not as it should be. */
function complete(
  draft: Draft,
  { checkoutId, feeAmount, how }: { checkoutId: string; feeAmount: number; how: string },
  now: Date,
): void {
  const { outcome, providerAccountId, chargeId, version } = draft.next
  const { amount: asked, currency: askedIn, paidAmount: amount = asked, paidCurrency: currency = askedIn } = draft.next
  const late = lateMoneyAlert(draft.next)
  const differs = amountAlert(draft.next)
  const data = { currency, amount, ...eventMembers(draft.next) }
  if (outcome !== 'succeeded') {
    const charge = chargeId === undefined ? {} : { chargeId }
    const settled = {
      version: version + 1,
      ...data,
      feeAmount,
      providerAccountId,
      paymentId: checkoutId,
      ...charge,
    }
    draft.events.push({ type: 'payment.succeeded', data }, { type: 'payment.settled', data: settled })
  }
  draft.alerts.push(...[late, differs].filter((alert) => alert !== undefined))
  const ended = late ? `, although it had ended as ${draft.next.status}` : ''
  const description = `Paid (${how})${ended}${differs ? `; ${differs.detail}` : ''}`
  draft.history.push({ at: now, status: 'Completed', description })
  draft.next = { ...draft.next, status: 'Completed', outcome: 'succeeded', listed: true }
}

const named = (id: string, at: Date | undefined) => (at === undefined ? id : `${id}, ${at.toISOString()}`)

/**
 * Ends a payment that the provider refused. Within the request the client is told (422): there is no event, and the payment
 * is not listed. Later, when a sweep sends it again, an event tells. A payment that is no longer `Created` stays as it is.
 */
export function refuse(payment: Payment, refusal: ProviderRefused, within: 'request' | 'sweep', now: Date): Decision {
  if (payment.status !== 'Created') return unchanged(payment)
  const { reason, details } = refusal
  const description = `Refused by the provider: ${details.declineCode ?? details.code ?? reason}`
  if (within === 'request') return unlisted(payment, description, now)
  const failureReason = reason === 'declined' ? 'declined' : (details.code ?? 'provider_refused')
  return end(payment, failureReason, description, now)
}

/**
 * Withdraws a payment whose request surely never left, and which nobody can resume: the client was told 503 and will
 * create another one, and only one of them may be payable. As after a refusal within the request, it is not listed.
 */
export function withdraw(payment: Payment, now: Date): Decision {
  if (payment.status !== 'Created') return unchanged(payment)
  return unlisted(payment, 'Not sent: the provider was not available, and nothing was asked of it', now)
}

function unlisted(payment: Payment, description: string, now: Date): Decision {
  const next: Payment = { ...payment, status: 'Failed', listed: false, version: payment.version + 1 }
  return { ...unchanged(next), history: [{ at: now, status: 'Failed', description }] }
}

/**
 * Ends a payment whose outcome the provider did not tell in time while it was `Created`: nobody received the address of its
 * page, so it cannot be paid. Any other stays open: somebody may have paid it, and nobody may say that it failed. A person is
 * told once, and it no longer keeps its account from being deleted; when the provider tells, it goes on.
 */
export function giveUp(payment: Payment, now: Date): Decision {
  const { status } = payment
  if (status === 'Created') {
    const decision = end(
      payment,
      'provider_outcome_unknown',
      'The provider did not tell in time what became of it',
      now,
    )
    return { ...decision, alerts: [{ code: 'outcome_unknown', detail: `given up as ${status}` }] }
  }
  if (!openStatuses.includes(status) || payment.unreachableSince !== undefined) return unchanged(payment)
  const description = 'The provider does not tell what became of it; it stays open'
  return {
    next: { ...payment, unreachableSince: now, version: payment.version + 1 },
    history: [{ at: now, status, description }],
    events: [],
    alerts: [{ code: 'outcome_unknown', detail: `the provider does not tell, it stays ${status}` }],
  }
}

/** Ends a payment as Failed, or as Cancelled if it was to be cancelled and the provider has no checkout of it. */
function end(payment: Payment, failureReason: string, description: string, now: Date): Decision {
  const { cancelling } = payment
  const cancelled = cancelling !== undefined && payment.status === 'Created'
  const status: PaymentStatus = cancelled ? 'Cancelled' : 'Failed'
  const outcome: PaymentOutcome = cancelled ? 'cancelled' : 'failed'
  const event: PaymentEvent = cancelled
    ? { type: 'payment.cancelled', data: { cancellationReason: cancelling, ...eventMembers(payment) } }
    : { type: 'payment.failed', data: { failureReason, ...eventMembers(payment) } }
  const next: Payment = { ...payment, status, outcome, version: payment.version + 1 }
  return { next, history: [{ at: now, status, description }], events: [event], alerts: [] }
}

/** Returns the outcome that subscribers are told when a payment ends without money; undefined if they were told before. */
function outcomeOf(
  payment: Payment,
  status: PaymentStatus,
  checkout: ProviderCheckout,
): { name: PaymentOutcome; event: PaymentEvent } | undefined {
  if (payment.outcome !== undefined) return undefined
  if (status === 'Failed') {
    const { lastError } = checkout
    const failureReason = lastError?.code === 'card_declined' ? 'declined' : (lastError?.code ?? 'declined')
    return { name: 'failed', event: { type: 'payment.failed', data: { failureReason, ...eventMembers(payment) } } }
  }
  if (status === 'Cancelled') {
    const cancellationReason = reasonOfCancellation(payment, checkout)
    const event = { type: 'payment.cancelled', data: { cancellationReason, ...eventMembers(payment) } } as const
    return { name: 'cancelled', event }
  }
  return undefined
}

function reasonOfCancellation({ cancelling }: Payment, checkout: ProviderCheckout) {
  return cancelling ?? (checkout.status === 'expired' ? 'expired' : 'provider')
}

function createdEvent(payment: Payment): PaymentEvent {
  const { version, status, amount, currency } = payment
  return { type: 'payment.created', data: { version, ...eventMembers(payment), status, amount, currency } }
}

function lateMoneyAlert({ status }: Payment): PaymentAlert | undefined {
  const detail = 'the provider proves the money although the payment had ended'
  if (status === 'Failed') return { code: 'money_after_failed', detail }
  return status === 'Cancelled' ? { code: 'money_after_cancelled', detail } : undefined
}

function amountAlert({ amount, currency, paidAmount, paidCurrency }: Payment): PaymentAlert | undefined {
  if (paidAmount === amount && paidCurrency === currency) return undefined
  const detail = `${amount} ${currency} were asked, the provider took ${paidAmount} ${paidCurrency}`
  return { code: 'amount_differs', detail }
}

/** Whether a record is older than the one already applied: a page does not open again. */
function isOutdated(payment: Payment, checkout: ProviderCheckout): boolean {
  const pageIsOver = payment.paymentId !== undefined && !payment.checkoutUrl && !payment.clientSecret
  return pageIsOver && checkout.status === 'open'
}

/** Whether a record repeats the payment's status without a new attempt. */
function saysNothingNew(payment: Payment, checkout: ProviderCheckout, implied: PaymentStatus): boolean {
  if (implied !== payment.status) return false
  return checkout.chargeId === payment.chargeId && declineCodeOf(checkout) === payment.declineCode
}

function factsOf(payment: Payment, checkout: ProviderCheckout) {
  const isOpen = checkout.status === 'open'
  return {
    paymentId: payment.paymentId ?? checkout.id,
    paymentIntentId: checkout.paymentIntentId ?? payment.paymentIntentId,
    chargeId: checkout.chargeId ?? payment.chargeId,
    declineCode: declineCodeOf(checkout) ?? payment.declineCode,
    tipAmount: checkout.tipAmount,
    ...(checkout.paymentStatus === 'paid'
      ? { paidAmount: checkout.amountTotal, paidCurrency: checkout.currency }
      : { paidAmount: payment.paidAmount, paidCurrency: payment.paidCurrency }),
    unreachableSince: undefined,
    checkoutUrl: isOpen ? (checkout.url ?? payment.checkoutUrl) : undefined,
    clientSecret: isOpen ? (checkout.clientSecret ?? payment.clientSecret) : undefined,
    expiresAt: checkout.expiresAt,
  } satisfies Partial<Payment>
}

function isKnown(payment: Payment, facts: ReturnType<typeof factsOf>): boolean {
  const { expiresAt, ...others } = facts
  const same = Object.entries(others).every(([name, value]) => payment[name as keyof typeof others] === value)
  return same && payment.expiresAt?.getTime() === expiresAt.getTime()
}

function declineCodeOf({ lastError }: ProviderCheckout): string | undefined {
  return lastError ? (lastError.declineCode ?? lastError.code ?? 'declined') : undefined
}

/** Returns the sentence for the history. The entry has our time; the provider's time is in the text. */
function describe(status: PaymentStatus, payment: Payment, checkout: ProviderCheckout): string {
  switch (status) {
    case 'Pending':
      return `Waiting for the customer (${checkout.id})`
    case 'Declined':
      return `An attempt was declined (${declineCodeOf(checkout) ?? 'declined'}); the customer may try again`
    case 'Processing':
      return 'The customer is done; the money is not confirmed yet'
    case 'Failed':
      return `The payment failed (${declineCodeOf(checkout) ?? 'declined'})`
    case 'Cancelled':
      return `Cancelled: ${reasonOfCancellation(payment, checkout)}`
    default:
      return status
  }
}
