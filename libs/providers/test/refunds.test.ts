import { describe, expect, test } from 'vitest'
import { json, openProviderServer, refund, refundPage, refusal } from './provider-server.ts'

const payment = { providerAccountId: 'acct_1', paymentIntentId: 'pi_1' }
const request = {
  providerAccountId: 'acct_1',
  idempotencyKey: 'ref_1',
  params: { payment_intent: 'pi_1', amount: 500, refund_application_fee: true, metadata: { refundId: 'r-1' } },
}

describe('a refund', () => {
  test('is made on the connected account with the stored parameters and its idempotency key', async () => {
    await using server = await openProviderServer()
    server.replies(json(200, refund('re_1', 500, { metadata: { refundId: 'r-1' } })))
    await using provider = server.open()
    expect(await provider.createRefund(request)).toMatchObject({ id: 're_1', refundId: 'r-1', status: 'succeeded' })
    const [sent] = server.requests
    expect(sent).toMatchObject({
      method: 'POST',
      path: '/v1/refunds',
      headers: { 'stripe-account': 'acct_1', 'idempotency-key': 'ref_1' },
    })
    expect(Object.fromEntries(sent?.params ?? [])).toEqual({
      payment_intent: 'pi_1',
      amount: '500',
      refund_application_fee: 'true',
      'metadata[refundId]': 'r-1',
    })
  })

  test('that the provider refuses is a refusal, with its code', async () => {
    await using server = await openProviderServer()
    server.replies(refusal(400, { type: 'invalid_request_error', code: 'charge_already_refunded' }))
    await using provider = server.open()
    await expect(provider.createRefund(request)).rejects.toMatchObject({
      reason: 'provider_rejected',
      details: { code: 'charge_already_refunded' },
    })
  })
})

test('the refunds of a payment are read over all pages, oldest first', async () => {
  await using server = await openProviderServer()
  server.replies(
    refundPage([refund('re_5', 5), refund('re_4', 4)], true),
    refundPage([refund('re_3', 3), refund('re_2', 2)], true),
    refundPage([refund('re_1', 1)]),
  )
  await using provider = server.open()
  const found = await provider.listRefunds(payment)
  expect(found.map(({ id }) => id)).toEqual(['re_1', 're_2', 're_3', 're_4', 're_5'])
  expect(server.requests.map(({ params }) => Object.fromEntries(params))).toEqual([
    { payment_intent: 'pi_1', limit: '100' },
    { payment_intent: 'pi_1', limit: '100', starting_after: 're_4' },
    { payment_intent: 'pi_1', limit: '100', starting_after: 're_2' },
  ])
})
