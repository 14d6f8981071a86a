import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import type { RefundOrder } from '../orders.ts'
import { refundRequest, toProviderRefund } from './refunds.ts'

const order: RefundOrder = {
  refundId: '0199b6a0-0000-7000-8000-000000000002',
  recordId: '0199b6a0-0000-7000-8000-000000000001',
  providerAccountId: 'acct_1',
  paymentIntentId: 'pi_1',
  amount: 1_500,
  currency: 'GBP',
  returnsFee: true,
}

const refund = (changes: Partial<Stripe.Refund> = {}) =>
  ({
    id: 're_1',
    amount: 1_500,
    currency: 'gbp',
    status: 'succeeded',
    reason: null,
    metadata: {},
    created: 1_794_991_000,
    ...changes,
  }) as Stripe.Refund

describe('the refund request', () => {
  test('names the payment, the amount, who bears the fee, and our refund', () => {
    expect(refundRequest({ ...order, reason: 'Came too late', reference: 'CN-7' })).toStrictEqual({
      providerAccountId: 'acct_1',
      idempotencyKey: `ref_${order.refundId}`,
      params: {
        payment_intent: 'pi_1',
        amount: 1_500,
        refund_application_fee: true,
        metadata: {
          refundId: order.refundId,
          recordId: order.recordId,
          reason: 'Came too late',
          reference: 'CN-7',
        },
      },
    })
  })

  test('has a reason of the provider only if the client gives one of them', () => {
    expect(refundRequest({ ...order, reason: 'duplicate' }).params).toMatchObject({ reason: 'duplicate' })
    expect(refundRequest({ ...order, reason: 'Duplicate' }).params).not.toHaveProperty('reason')
    expect(refundRequest(order).params).not.toHaveProperty('reason')
  })

  test('leaves the fee with the platform if the practice bears it', () => {
    expect(refundRequest({ ...order, returnsFee: false }).params).toMatchObject({ refund_application_fee: false })
  })

  test("has the amount in the provider's unit, and refuses one that has none", () => {
    expect(refundRequest({ ...order, amount: 500, currency: 'ISK' }).params).toMatchObject({ amount: 50_000 })
    expect(() => refundRequest({ ...order, amount: 1_005, currency: 'KWD' })).toThrow(
      expect.objectContaining({ reason: 'amount_not_representable' }),
    )
  })

  test('is unchanged after a round trip through JSON', () => {
    const request = refundRequest(order)
    expect(JSON.parse(JSON.stringify(request))).toStrictEqual(request)
  })
})

describe('a refund', () => {
  test('of ours names our refund, and has its amount in ISO minor units', () => {
    const metadata = { refundId: order.refundId, reason: 'Came too late' }
    expect(toProviderRefund(refund({ currency: 'isk', amount: 50_000, metadata }))).toEqual({
      id: 're_1',
      refundId: order.refundId,
      status: 'succeeded',
      amount: 500,
      currency: 'ISK',
      reason: 'Came too late',
      createdAt: new Date(1_794_991_000_000),
    })
  })

  test("made in the provider's dashboard names no refund of ours", () => {
    const made = toProviderRefund(refund({ metadata: null, reason: 'duplicate' }))
    expect(made).toMatchObject({ refundId: undefined, reason: 'duplicate' })
  })

  test('that failed says why', () => {
    const failed = toProviderRefund(refund({ status: 'failed', failure_reason: 'lost_or_stolen_card' }))
    expect(failed).toMatchObject({ status: 'failed', failureReason: 'lost_or_stolen_card' })
  })

  test.each([
    ['pending', 'pending'],
    ['requires_action', 'pending'],
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
    [null, 'pending'],
    ['a status of a later release', 'pending'],
  ])('that is %s counts as %s', (status, counted) => {
    expect(toProviderRefund(refund({ status })).status).toBe(counted)
  })
})
