import type { PaymentStatus } from '@frontdesk/contracts'
import type { ProviderCheckout, ProviderRefused } from '@frontdesk/providers'
import {
  unchanged,
  type Decision,
  type HistoryNote,
  type Payment,
  type PaymentAlert,
  type PaymentEvent,
  type PaymentOutcome,
} from './domain.ts'
import { impliedStatus, stepsTo } from './transitions.ts'

/**
 * Moves a payment to the status that the provider's own record implies: forward only, through every status on the way,
 * with at most one outcome event for its life. The exception: money proven after Failed or Cancelled completes it, sends
 * `payment.succeeded` and raises an alert. A record that changes nothing (late, repeated) returns the same payment.
 */
export function applySnapshot(payment: Payment, checkout: ProviderCheckout, now: Date): Decision {
  if (isOutdated(payment, checkout)) return unchanged(payment)
  const implied = impliedStatus(checkout)
  const steps = saysNothingNew(payment, checkout, implied) ? [] : stepsTo(payment.status, implied)
  if (steps.length === 0 && implied !== payment.status) return unchanged(payment)
  const facts = factsOf(payment, checkout)
  if (steps.length === 0 && isKnown(payment, facts)) return unchanged(payment)

  let next: Payment = { ...payment, ...facts, version: payment.version + 1 }
  const history: HistoryNote[] = []
  const events: PaymentEvent[] = []
  const alerts: PaymentAlert[] = []
  for (const status of steps) {
    const outcome = outcomeOf(next, status, checkout)
    if (outcome?.event) events.push(outcome.event)
    if (outcome?.alert) alerts.push(outcome.alert)
    if (outcome?.name === 'succeeded') alerts.push(...amountAlerts(payment, checkout))
    history.push({ at: now, status, description: describe(status, next, checkout) })
    next = {
      ...next,
      status,
      outcome: outcome?.event ? outcome.name : next.outcome,
      listed: next.listed || status === 'Completed',
    }
  }
  return { next, history, events: payment.status === 'Created' ? [createdEvent(next), ...events] : events, alerts }
}

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
 * Ends a payment whose outcome the provider did not tell in time: nobody received the address of its page, or the page has
 * expired, so it cannot be paid. No other payment is ever given up; while money is on its way, the outcome stays open.
 */
export function giveUp(payment: Payment, now: Date): Decision {
  const { status } = payment
  if (status !== 'Created' && status !== 'Pending' && status !== 'Declined') return unchanged(payment)
  const decision = end(payment, 'provider_outcome_unknown', 'The provider did not tell in time what became of it', now)
  return { ...decision, alerts: [{ code: 'outcome_unknown', detail: `given up as ${status}` }] }
}

/** Ends a payment as Failed, or as Cancelled if it was to be cancelled and the provider has no checkout of it. */
function end(payment: Payment, failureReason: string, description: string, now: Date): Decision {
  const { cancelling } = payment
  const cancelled = cancelling !== undefined && payment.status === 'Created'
  const status: PaymentStatus = cancelled ? 'Cancelled' : 'Failed'
  const outcome: PaymentOutcome = cancelled ? 'cancelled' : 'failed'
  const event: PaymentEvent = cancelled
    ? { type: 'payment.cancelled', data: { cancellationReason: cancelling, ...outcomeData(payment) } }
    : { type: 'payment.failed', data: { failureReason, ...outcomeData(payment) } }
  const next: Payment = { ...payment, status, outcome, version: payment.version + 1 }
  return { next, history: [{ at: now, status, description }], events: [event], alerts: [] }
}

interface Outcome {
  name: PaymentOutcome
  event?: PaymentEvent
  alert?: PaymentAlert
}

/** Returns the outcome that subscribers are told when a payment enters a status; undefined if they were told before. */
function outcomeOf(payment: Payment, status: PaymentStatus, checkout: ProviderCheckout): Outcome | undefined {
  const { outcome, currency, amount } = payment
  if (status === 'Completed' && outcome !== 'succeeded') {
    const event: PaymentEvent = { type: 'payment.succeeded', data: { currency, amount, ...outcomeData(payment) } }
    return { name: 'succeeded', event, ...lateMoneyAlert(payment) }
  }
  if (status === 'Failed' && outcome === undefined) {
    const { lastError } = checkout
    const failureReason = lastError?.code === 'card_declined' ? 'declined' : (lastError?.code ?? 'declined')
    return { name: 'failed', event: { type: 'payment.failed', data: { failureReason, ...outcomeData(payment) } } }
  }
  if (status === 'Cancelled' && outcome === undefined) {
    const cancellationReason = reasonOfCancellation(payment, checkout)
    return {
      name: 'cancelled',
      event: { type: 'payment.cancelled', data: { cancellationReason, ...outcomeData(payment) } },
    }
  }
  return undefined
}

function reasonOfCancellation({ cancelling }: Payment, checkout: ProviderCheckout) {
  return cancelling ?? (checkout.status === 'expired' ? 'expired' : 'provider')
}

/** Returns the members that all outcomes share; a member without a value is absent. */
function outcomeData({ reference, recordId, provider }: Payment) {
  return { ...(reference === undefined ? {} : { reference }), recordId, paymentProvider: provider }
}

function createdEvent(payment: Payment): PaymentEvent {
  const { version, status, amount, currency } = payment
  return { type: 'payment.created', data: { version, ...outcomeData(payment), status, amount, currency } }
}

function lateMoneyAlert({ status }: Payment): { alert?: PaymentAlert } {
  const detail = 'the provider proves the money although the payment had ended'
  if (status === 'Failed') return { alert: { code: 'money_after_failed', detail } }
  return status === 'Cancelled' ? { alert: { code: 'money_after_cancelled', detail } } : {}
}

function amountAlerts({ amount, currency }: Payment, checkout: ProviderCheckout): PaymentAlert[] {
  if (checkout.amountTotal === amount && checkout.currency === currency) return []
  const detail = `${amount} ${currency} were asked, the provider took ${checkout.amountTotal} ${checkout.currency}`
  return [{ code: 'amount_differs', detail }]
}

/** Whether a record is older than the one already applied: a page does not open again, a dispute does not vanish. */
function isOutdated(payment: Payment, checkout: ProviderCheckout): boolean {
  const pageIsOver = payment.paymentId !== undefined && !payment.checkoutUrl && !payment.clientSecret
  if (pageIsOver && checkout.status === 'open') return true
  return payment.status === 'Disputed' && checkout.dispute === 'none'
}

/** Whether a record repeats the payment's status without a new attempt or refund. */
function saysNothingNew(payment: Payment, checkout: ProviderCheckout, implied: PaymentStatus): boolean {
  if (implied !== payment.status) return false
  if (implied === 'PartiallyRefunded') return checkout.amountRefunded === payment.amountRefunded
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
    amountRefunded: checkout.amountRefunded,
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
  const money = (amount: number) => `${amount} of ${checkout.amountTotal} ${checkout.currency} (minor units)`
  switch (status) {
    case 'Created':
      return 'Payment created'
    case 'Pending':
      return `Waiting for the customer (${checkout.id})`
    case 'Declined':
      return `An attempt was declined (${declineCodeOf(checkout) ?? 'declined'}); the customer may try again`
    case 'Processing':
      return 'The customer is done; the money is not confirmed yet'
    case 'Completed':
      return describeCompletion(payment, checkout)
    case 'Failed':
      return `The payment failed (${declineCodeOf(checkout) ?? 'declined'})`
    case 'Cancelled':
      return `Cancelled: ${reasonOfCancellation(payment, checkout)}`
    case 'PartiallyRefunded':
      return `Refunded ${money(checkout.amountRefunded)}`
    case 'Refunded':
      return 'Refunded in full'
    case 'Disputed':
      return 'The customer disputes the payment at the bank'
    case 'ChargedBack':
      return 'The dispute was lost; the bank took the money back'
  }
}

function describeCompletion(payment: Payment, checkout: ProviderCheckout): string {
  if (payment.status === 'Disputed') return 'The dispute was won'
  const paid = `Paid (${checkout.paymentIntentId ?? checkout.id}${checkout.paidAt ? `, ${checkout.paidAt.toISOString()}` : ''})`
  const late = lateMoneyAlert(payment).alert ? `, although it had ended as ${payment.status}` : ''
  const [differs] = amountAlerts(payment, checkout)
  return `${paid}${late}${differs ? `; ${differs.detail}` : ''}`
}
