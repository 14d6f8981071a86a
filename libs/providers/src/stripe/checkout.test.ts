import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { disputedCharge, refundedIntent, toProviderCheckout, toProviderDispute } from './checkout.ts'

type Session = Stripe.Checkout.Session
type Intent = Partial<Stripe.PaymentIntent>

// The SDK's type of a session has 60 members; the mapping reads these.
function session(changes: Partial<Session>, intent?: Intent): Session {
  const facts: Partial<Session> = {
    id: 'cs_1',
    status: 'open',
    payment_status: 'unpaid',
    currency: 'gbp',
    amount_total: 4_500,
    payment_intent: intent
      ? ({ id: 'pi_1', latest_charge: null, last_payment_error: null, ...intent } as Stripe.PaymentIntent)
      : null,
    url: 'https://checkout.example/cs_1',
    client_secret: null,
    expires_at: 1_795_000_000,
    ...changes,
  }
  return facts as Session
}

const charge = (changes: Partial<Stripe.Charge>) =>
  ({ id: 'ch_1', amount_refunded: 0, created: 1_794_990_000, ...changes }) as Stripe.Charge

describe('a checkout session', () => {
  test('is open, unpaid and has an address after its creation', () => {
    expect(toProviderCheckout(session({}))).toEqual({
      id: 'cs_1',
      status: 'open',
      paymentStatus: 'unpaid',
      currency: 'GBP',
      amountTotal: 4_500,
      feeAmount: 0,
      tipAmount: 0,
      refunds: [],
      url: 'https://checkout.example/cs_1',
      expiresAt: new Date(1_795_000_000_000),
    })
  })

  test.each<[string, Partial<Session>, Intent | undefined, string]>([
    ['paid', { status: 'complete', payment_status: 'paid' }, { status: 'succeeded' }, 'paid'],
    ['nothing to pay', { status: 'complete', payment_status: 'no_payment_required' }, undefined, 'paid'],
    ['the intent is ahead of the session', {}, { status: 'succeeded' }, 'paid'],
    ['a delayed method', { status: 'complete' }, { status: 'processing' }, 'processing'],
    ['a voucher still to be paid', { status: 'complete' }, { status: 'requires_action' }, 'processing'],
    ['a delayed method that failed', { status: 'complete' }, { status: 'requires_payment_method' }, 'failed'],
    ['declined, the page still open', {}, { status: 'requires_payment_method' }, 'unpaid'],
    ['an extra step of the bank', {}, { status: 'requires_action' }, 'unpaid'],
    ['cancelled at the provider', {}, { status: 'canceled' }, 'cancelled'],
    ['run out', { status: 'expired' }, undefined, 'unpaid'],
  ])('money of a session: %s', (_, changes, intent, paymentStatus) => {
    expect(toProviderCheckout(session(changes, intent)).paymentStatus).toBe(paymentStatus)
  })

  test('has amounts in ISO minor units, and no address once it is complete', () => {
    const intent = { status: 'succeeded' as const, latest_charge: charge({ application_fee_amount: 20_000 }) }
    const checkout = toProviderCheckout(
      session({ status: 'complete', payment_status: 'paid', currency: 'isk', amount_total: 50_000 }, intent),
    )
    expect(checkout).toMatchObject({ amountTotal: 500, feeAmount: 200, paymentIntentId: 'pi_1', chargeId: 'ch_1' })
    expect(checkout.paidAt).toEqual(new Date(1_794_990_000_000))
    expect(checkout.url).toBeUndefined()
  })

  test('says why the last attempt was refused', () => {
    const error = {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'No.',
    } as const
    const checkout = toProviderCheckout(session({}, { status: 'requires_payment_method', last_payment_error: error }))
    expect(checkout.lastError).toEqual({ code: 'card_declined', declineCode: 'insufficient_funds', message: 'No.' })
  })
})

test('a charge is reported as disputed only if it was disputed', () => {
  const disputed = { status: 'succeeded' as const, latest_charge: charge({ disputed: true }) }
  expect(disputedCharge(session({}, disputed))).toBe('ch_1')
  expect(disputedCharge(session({}, { latest_charge: charge({ disputed: false }) }))).toBeUndefined()
  expect(disputedCharge(session({}))).toBeUndefined()
})

test('refunds are read if the charge shows some, or if the payment is known to have had some', () => {
  const refunded = { latest_charge: charge({ amount_refunded: 500 }) }
  const whole = { latest_charge: charge({ amount_refunded: 0 }) }
  expect(refundedIntent(session({}, refunded), false)).toBe('pi_1')
  expect(refundedIntent(session({}, whole), false)).toBeUndefined()
  expect(refundedIntent(session({}, whole), true)).toBe('pi_1')
  expect(refundedIntent(session({}), true)).toBeUndefined()
})

test.each([
  ['needs_response', 'open'],
  ['appeal_under_review', 'open'],
  ['warning_needs_response', 'open'],
  ['warning_closed', 'won'],
  ['prevented', 'won'],
  ['won', 'won'],
  ['lost', 'lost'],
])('a dispute that is %s counts as %s', (status, outcome) => {
  const dispute = { id: 'du_1', status, amount: 50_000, currency: 'isk', reason: 'fraudulent' } as Stripe.Dispute
  expect(toProviderDispute(dispute)).toEqual({
    id: 'du_1',
    status: outcome,
    amount: 500,
    currency: 'ISK',
    reason: 'fraudulent',
  })
})
