import { hash } from 'node:crypto'
import type { ProviderDispute, ProviderRefund } from '@frontdesk/providers'
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import {
  eventMembers,
  type Decision,
  type HistoryNote,
  type Payment,
  type PaymentAlert,
  type PaymentEvent,
  type Refund,
} from './domain.ts'
import { paidStatus } from './transitions.ts'

// Rules for money that was taken. A refund only ever moves up the order of its states, so any order and repetition of
// the provider's answers leads to the same refunds. The payment's status follows from them and its dispute (decision 023).

/** A change in the making, whose parts are added one by one. */
export interface Draft {
  next: Payment
  history: HistoryNote[]
  events: PaymentEvent[]
  alerts: PaymentAlert[]
}

export const draftOf = (payment: Payment): Draft => ({ next: payment, history: [], events: [], alerts: [] })

/** Returns the decision; its payment has the next version if anything has changed since `before`. */
export function decided(before: Payment, { next, ...others }: Draft): Decision {
  return next === before ? { next, ...others } : { next: { ...next, version: before.version + 1 }, ...others }
}

/** Applies the provider's answer about one refund of a payment, whichever of the two learned of the refund first. */
export function applyRefund(payment: Payment, told: ProviderRefund, now: Date): Decision {
  const draft = draftOf(payment)
  addRefund(draft, told, now)
  return decided(payment, draft)
}

/** Adds what the provider tells about a refund. A refund that we do not know was made elsewhere. */
export function addRefund(draft: Draft, told: ProviderRefund, now: Date): void {
  const known = findRefund(draft.next.refunds, told)
  const before = known ?? foreignRefund(draft.next.refunds, told)
  const after: Refund = {
    ...before,
    providerRefundId: told.id,
    amount: told.amount,
    currency: told.currency,
    status: statusOf(told),
    failureReason: told.status === 'failed' ? (told.failureReason ?? 'unknown') : undefined,
    listed: true,
  }
  if (known !== undefined && rankOf(after) <= rankOf(known)) return
  if (before.status === 'Failed' && after.status !== 'Failed') {
    const detail = `the provider has refund ${before.refundId} (${told.id}), although it had ended as Failed`
    draft.alerts.push({ code: 'refund_after_failed', detail })
  }
  replaceRefund(draft, after, now)
}

/**
 * Takes over the refunds whose sum alone an earlier version of this service kept: without events and entries, since the
 * record has shown that sum all the time.
 */
export function adoptRefunds(draft: Draft, told: readonly ProviderRefund[]): void {
  let unknown = unknownSum(draft.next)
  const adopted: Refund[] = []
  for (const each of told) {
    if (each.status !== 'succeeded' || each.amount > unknown || findRefund(draft.next.refunds, each)) continue
    unknown -= each.amount
    const refund = foreignRefund([...draft.next.refunds, ...adopted], each)
    adopted.push({ ...refund, providerRefundId: each.id, status: 'Succeeded', outcome: 'succeeded' })
  }
  if (adopted.length === 0) return
  draft.next = { ...draft.next, refunds: [...draft.next.refunds, ...adopted].toSorted(byId) }
}

/** Corrects a sum that an earlier version kept and that the provider no longer confirms: a refund has failed since. */
export function correctSum(draft: Draft, now: Date): void {
  const unknown = unknownSum(draft.next)
  if (unknown === 0) return
  draft.next = { ...draft.next, amountRefunded: draft.next.amountRefunded - unknown }
  follow(draft, `Refunded ${sumText(draft.next)}`, now)
}

/** Returns how much of what was given back belongs to no refund that we know. */
export function unknownSum({ refunds, amountRefunded }: Payment): number {
  return amountRefunded - sumOf(refunds.filter(({ status }) => status === 'Succeeded'))
}

/** Puts a refund in its new state into the payment, with the event and the history entry that the state calls for. */
export function replaceRefund(draft: Draft, refund: Refund, now: Date): void {
  const outcome = refund.listed ? outcomeOf(refund) : undefined
  const isNews = outcome !== undefined && outcome !== refund.outcome
  const told: Refund = isNews ? { ...refund, outcome } : refund
  const before = draft.next
  const refunds = [...before.refunds.filter(({ refundId }) => refundId !== told.refundId), told].toSorted(byId)
  draft.next = { ...before, refunds, amountRefunded: sumOf(refunds.filter(({ status }) => status === 'Succeeded')) }
  if (isNews) draft.events.push(refundEvent(draft.next, told))
  if (draft.next.amountRefunded !== before.amountRefunded) follow(draft, describeRefund(draft.next, told), now)
}

/** Adds what the provider tells about the newest dispute. Banks open decided ones again, so the newest answer counts. */
export function addDispute(draft: Draft, told: ProviderDispute, now: Date): void {
  const dispute = draft.next.dispute ?? earlierDispute(draft.next, told)
  if (dispute?.id === told.id && dispute.status === told.status) {
    if (draft.next.dispute === undefined) draft.next = { ...draft.next, dispute }
    return
  }
  // It was opened, or opened again, while nobody looked. One that was lost may be won without that.
  const wasOpened = dispute?.id !== told.id || (dispute.status === 'won' && told.status === 'lost')
  if (wasOpened && told.status !== 'open') moveDispute(draft, { ...told, status: 'open' }, now)
  moveDispute(draft, told, now)
}

/** Returns the dispute of which an earlier version kept the payment's status alone: it was told then. */
function earlierDispute({ status }: Payment, told: ProviderDispute): ProviderDispute | undefined {
  if (status === 'Disputed') return { ...told, status: 'open' }
  return status === 'ChargedBack' ? { ...told, status: 'lost' } : undefined
}

function moveDispute(draft: Draft, dispute: ProviderDispute, now: Date): void {
  draft.next = { ...draft.next, dispute }
  draft.events.push(disputeEvent(draft.next, dispute))
  follow(draft, describeDispute(dispute), now)
}

/** Lets the payment's status follow from what became of its money, with an entry that says why. */
function follow(draft: Draft, description: string, now: Date): void {
  const status = paidStatus(draft.next)
  draft.next = { ...draft.next, status }
  draft.history.push({ at: now, status, description })
}

/** Returns the refund that an answer is about: the provider's id decides, and until we know that, the id that it has from us. */
function findRefund(refunds: readonly Refund[], { id, refundId }: ProviderRefund): Refund | undefined {
  return (
    refunds.find(({ providerRefundId }) => providerRefundId === id) ??
    refunds.find((refund) => refund.providerRefundId === undefined && refund.refundId === refundId?.toLowerCase())
  )
}

/** Returns a refund that we did not make, or that a restore has lost: as ours if it says so and nobody else has that id. */
function foreignRefund(refunds: readonly Refund[], told: ProviderRefund): Refund {
  const named = told.refundId !== undefined && isUuid(told.refundId) ? told.refundId.toLowerCase() : undefined
  const isFree = named !== undefined && refunds.every(({ refundId }) => refundId !== named)
  return {
    refundId: isFree ? named : derivedId(told),
    amount: told.amount,
    currency: told.currency,
    reason: told.reason,
    reference: told.reference,
    createdAt: told.createdAt,
    status: 'Created',
    listed: true,
  }
}

/** Returns the same UUIDv7 whenever the provider tells of the refund: also after a restore, and at two replicas. */
function derivedId({ id, createdAt }: ProviderRefund): string {
  return uuidv7({ msecs: createdAt.getTime(), random: hash('sha256', id, 'buffer') })
}

/** The order of a refund's states. What only we believe to have failed is overruled by a provider that has it. */
function rankOf({ status, providerRefundId }: Refund): number {
  if (providerRefundId === undefined) return status === 'Failed' ? 1 : 0
  return status === 'Pending' ? 2 : status === 'Succeeded' ? 3 : 4
}

function statusOf({ status }: ProviderRefund): Refund['status'] {
  if (status === 'pending') return 'Pending'
  return status === 'succeeded' ? 'Succeeded' : 'Failed'
}

function outcomeOf({ status }: Refund): Refund['outcome'] {
  if (status === 'Succeeded') return 'succeeded'
  return status === 'Failed' ? 'failed' : undefined
}

const byId = (a: Refund, b: Refund): number => (a.refundId < b.refundId ? -1 : 1)

export const sumOf = (refunds: readonly Refund[]): number => refunds.reduce((sum, { amount }) => sum + amount, 0)

function refundEvent(payment: Payment, refund: Refund): PaymentEvent {
  const { refundId, currency, amount, reference } = refund
  const data = {
    ...eventMembers(payment),
    refundId,
    currency,
    amount,
    refundedAmount: payment.amountRefunded,
    ...(reference === undefined ? {} : { refundReference: reference }),
  }
  return refund.outcome === 'succeeded'
    ? { type: 'refund.succeeded', data }
    : { type: 'refund.failed', data: { ...data, failureReason: refund.failureReason ?? 'unknown' } }
}

function disputeEvent(payment: Payment, { id, status, amount, currency, reason }: ProviderDispute): PaymentEvent {
  const data = {
    ...eventMembers(payment),
    disputeId: id,
    currency,
    amount,
    ...(reason === undefined ? {} : { disputeReason: reason }),
  }
  if (status === 'open') return { type: 'dispute.opened', data }
  return { type: 'dispute.closed', data: { ...data, disputeOutcome: status } }
}

function describeRefund(payment: Payment, { status, amount, failureReason }: Refund): string {
  const { amountRefunded, paidAmount = payment.amount } = payment
  const sum = sumText(payment)
  if (status === 'Failed')
    return `A refund of ${amount} failed after it had succeeded (${failureReason}); refunded ${sum}`
  return amountRefunded >= paidAmount ? 'Refunded in full' : `Refunded ${sum}`
}

function sumText({ amountRefunded, amount, currency, paidAmount = amount, paidCurrency = currency }: Payment): string {
  return `${amountRefunded} of ${paidAmount} ${paidCurrency} (minor units)`
}

function describeDispute({ status }: ProviderDispute): string {
  if (status === 'open') return 'The customer disputes the payment at the bank'
  return status === 'won' ? 'The dispute was won' : 'The dispute was lost; the bank took the money back'
}
