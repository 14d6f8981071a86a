import { expect, test } from 'vitest'
import type { CheckoutSession } from '../db.ts'
import type { Checkout } from './checkout.ts'
import { type CheckoutCommand, decide, isPending, leave } from './domain.ts'
import { ImpossibleCheckout } from '../charges/impossible.ts'

const created = new Date('2026-11-20T10:00:00Z')
const later = new Date('2026-11-20T10:05:00Z')
const ids = {
  intent: 'pi_3a',
  intentSecret: 'pi_3a_secret_b',
  charge: 'ch_3a',
  refund: 're_3a',
  dispute: 'du_1a',
  statementDescriptor: 'HARBOUR* INV',
}

const session: CheckoutSession = {
  id: 'cs_test_a',
  accountId: 'acct_1a',
  uiMode: 'hosted_page',
  status: 'open',
  paymentStatus: 'unpaid',
  currency: 'nzd',
  amountTotal: 25_000,
  lineItems: [],
  clientReferenceId: null,
  customer: null,
  customerEmail: null,
  metadata: {},
  successUrl: 'https://practice.example/paid',
  cancelUrl: 'https://practice.example/back',
  returnUrl: null,
  redirectOnCompletion: null,
  clientSecret: null,
  adaptivePricing: false,
  applicationFeeAmount: 250,
  paymentDescription: 'INV-1001',
  statementDescriptorSuffix: 'INV',
  paymentMetadata: { recordId: 'r1' },
  paymentIntentId: null,
  createdAt: created,
  expiresAt: new Date('2026-11-21T10:00:00Z'),
}
const fresh: Checkout = { session, intent: undefined, charge: undefined, refunds: [], disputes: [] }

/** Applies commands one after another. Each attempt gets its own charge. */
function play(...commands: CheckoutCommand['type'][]): { checkout: Checkout; events: string[] } {
  const events: string[] = []
  let checkout = fresh
  for (const [index, type] of commands.entries()) {
    const command: CheckoutCommand = type === 'decline' ? { type, reason: 'insufficient_funds' } : { type }
    const change = decide(checkout, command, later, { ...ids, intent: `pi_${index}`, charge: `ch_${index}` })
    checkout = change.next
    events.push(...change.events.map((event) => event.type))
  }
  return { checkout, events }
}

test('paying creates an intent and a charge of the whole amount, which the session names', () => {
  const { checkout } = play('pay')
  expect(checkout.session).toMatchObject({ status: 'complete', paymentStatus: 'paid', paymentIntentId: 'pi_0' })
  expect(checkout.intent).toMatchObject({
    id: 'pi_0',
    status: 'succeeded',
    amount: 25_000,
    applicationFeeAmount: 250,
    latestChargeId: 'ch_0',
    metadata: { recordId: 'r1' },
  })
  expect(checkout.charge).toMatchObject({ id: 'ch_0', status: 'succeeded', paymentIntentId: 'pi_0', method: 'card' })
})

test('a decline keeps the session open and says why, and the next charge pays the same intent', () => {
  const declined = play('decline').checkout
  expect(declined.session).toMatchObject({ status: 'open', paymentStatus: 'unpaid' })
  expect(declined.intent?.lastPaymentError).toEqual({
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
    charge: 'ch_0',
  })
  expect(declined.charge).toMatchObject({ status: 'failed', failureCode: 'card_declined' })
  const paid = play('decline', 'pay').checkout
  expect(paid.intent).toMatchObject({ id: 'pi_0', latestChargeId: 'ch_1', lastPaymentError: null })
})

test('only a delayed payment is pending', () => {
  expect(isPending(fresh)).toBe(false)
  expect(isPending(play('delay').checkout)).toBe(true)
  expect(isPending(play('delay', 'settle').checkout)).toBe(false)
  expect(isPending(play('delay', 'fail').checkout)).toBe(false)
})

test('failing an open checkout equals delaying it and failing then', () => {
  const direct = play('fail')
  const delayed = play('delay', 'fail')
  expect(direct).toEqual(delayed)
  expect(direct.checkout.session).toMatchObject({ status: 'complete', paymentStatus: 'unpaid' })
  expect(direct.checkout.intent).toMatchObject({
    status: 'requires_payment_method',
    lastPaymentError: { code: 'payment_intent_payment_attempt_failed' },
  })
  expect(direct.events.at(-1)).toBe('checkout.session.async_payment_failed')
})

test('expiring a checkout cancels its intent', () => {
  expect(play('expire').events).toEqual(['checkout.session.expired'])
  const { checkout, events } = play('decline', 'expire')
  expect(checkout.intent).toMatchObject({ status: 'canceled', cancellationReason: 'expired', canceledAt: later })
  expect(events).toContain('payment_intent.canceled')
})

test('an overdue checkout cannot be paid, and can still be expired', () => {
  const over = session.expiresAt
  for (const type of ['pay', 'delay', 'fail'] as const) {
    expect(() => decide(fresh, { type }, over, ids)).toThrow(ImpossibleCheckout)
  }
  expect(() => leave(fresh, over)).toThrow(ImpossibleCheckout)
  expect(decide(fresh, { type: 'expire' }, over, ids).next.session.status).toBe('expired')
})

test('a checkout that has ended cannot be paid, settled, failed or expired', () => {
  for (const end of ['pay', 'fail', 'expire'] as const) {
    for (const type of ['pay', 'delay', 'settle', 'fail', 'expire'] as const) {
      expect(() => decide(play(end).checkout, { type }, later, ids)).toThrow(ImpossibleCheckout)
    }
  }
})

test('a payment can be refunded in parts until nothing is left', () => {
  const { checkout } = play('pay')
  const part = decide(checkout, { type: 'refund', amount: 5_000 }, later, ids)
  expect(part.next.charge).toMatchObject({ amountRefunded: 5_000 })
  expect(part.events.map(({ type }) => type)).toEqual(['refund.created', 'charge.refunded'])
  expect(() => decide(part.next, { type: 'refund', amount: 20_001 }, later, ids)).toThrow(
    'greater than unrefunded amount on charge (20000)',
  )
  const rest = decide(part.next, { type: 'refund' }, later, ids)
  expect(rest.next.charge).toMatchObject({ amountRefunded: 25_000 })
  expect(rest.next.session).toMatchObject({ status: 'complete', paymentStatus: 'paid' })
  expect(() => decide(rest.next, { type: 'refund' }, later, ids)).toThrow(ImpossibleCheckout)
  expect(() => decide(fresh, { type: 'refund' }, later, ids)).toThrow('not paid')
})

test('one dispute is open at a time, and it can be opened again after it was won or lost', () => {
  const disputed = play('pay', 'dispute').checkout
  expect(disputed.disputes).toMatchObject([{ id: 'du_1a', status: 'needs_response', amount: 25_000 }])
  expect(() => decide(disputed, { type: 'refund' }, later, ids)).toThrow('charged back')
  expect(() => decide(disputed, { type: 'dispute' }, later, ids)).toThrow(ImpossibleCheckout)
  expect(() => decide(disputed, { type: 'reopen-dispute' }, later, ids)).toThrow(ImpossibleCheckout)
  const won = play('pay', 'dispute', 'win-dispute')
  expect(won.checkout.disputes).toMatchObject([{ status: 'won' }])
  expect(won.events).toContain('charge.dispute.funds_reinstated')
  expect(won.events.at(-1)).toBe('charge.dispute.closed')
  expect(() => decide(won.checkout, { type: 'lose-dispute' }, later, ids)).toThrow(ImpossibleCheckout)
  expect(play('pay', 'dispute', 'lose-dispute').checkout.disputes).toMatchObject([{ status: 'lost' }])
  const again = play('pay', 'dispute', 'lose-dispute', 'reopen-dispute', 'win-dispute', 'dispute').checkout
  expect(again.disputes).toMatchObject([{ status: 'won' }, { status: 'needs_response' }])
})

test('going back leads to the cancel_url of the practice', () => {
  expect(leave(fresh, later)).toBe('https://practice.example/back')
  expect(leave({ ...fresh, session: { ...session, cancelUrl: null } }, later)).toBeNull()
})
