import type { PaymentRecord } from '@frontdesk/contracts'
import { auditedActs, eventually, withoutAuditEntries } from '@frontdesk/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newKey, openPaymentsFixture, type PaymentsFixture, type RefundAnswer } from './payments-fixture.ts'

let fixture: PaymentsFixture
let site: Awaited<ReturnType<PaymentsFixture['readySite']>>
beforeAll(async () => {
  fixture = await openPaymentsFixture()
  site = await fixture.readySite()
})
afterEach(() => fixture.network.inject(undefined))
afterAll(() => fixture[Symbol.asyncDispose]())

const act = ({ PaymentId }: PaymentRecord, action: string) => fixture.control(`checkouts/${PaymentId}/${action}`)
const get = async ({ RecordId }: PaymentRecord) => (await fixture.get(site, RecordId)).body
const listOf = async ({ RecordId }: PaymentRecord, query = '') => {
  const answer: unknown = await fixture.call('listRefunds', site, { params: { PaymentIdentifier: RecordId }, query })
  return answer as RefundAnswer
}
const one = async ({ RecordId }: PaymentRecord, refundId: string) => {
  const params = { PaymentIdentifier: RecordId, RefundIdentifier: refundId }
  const answer: unknown = await fixture.call('getRefund', site, { params })
  return answer as RefundAnswer
}
/** The events after the payment's own, as `type` and data. */
const eventsOf = async ({ RecordId }: PaymentRecord) =>
  (await fixture.eventsOf(RecordId)).filter(({ type }) => !type.startsWith('payment.'))

test('A part of a payment is refunded, then the rest: record, events and ledger agree', async () => {
  const payment = await fixture.paid(site)
  expect(payment).toMatchObject({ RefundedAmount: 0, Refunds: [], PaidAmount: 25_000, PaidCurrency: 'EUR' })

  const part = await fixture.refund(site, payment.RecordId, { Amount: 5_000, Reason: 'goodwill', Reference: 'CN-1' })
  expect(part).toMatchObject({
    status: 201,
    body: { RecordId: payment.RecordId, Amount: 5_000, Currency: 'EUR', Status: 'Succeeded', Reference: 'CN-1' },
  })
  expect(await get(payment)).toMatchObject({
    Status: 'PartiallyRefunded',
    RefundedAmount: 5_000,
    Refunds: [part.body],
  })

  const rest = await fixture.refund(site, payment.RecordId)
  expect(rest).toMatchObject({ status: 201, body: { Amount: 20_000, Status: 'Succeeded' } })
  const after = await get(payment)
  expect(after).toMatchObject({ Status: 'Refunded', RefundedAmount: 25_000, Refunds: [part.body, rest.body] })
  expect(after.History.map((entry) => entry.Status).slice(2)).toEqual(['Completed', 'PartiallyRefunded', 'Refunded'])

  expect((await listOf(payment)).body.Items).toEqual([rest.body, part.body])
  const first = await listOf(payment, '?pageSize=1')
  expect(first.body.Items).toEqual([rest.body])
  const second = await listOf(payment, `?pageSize=1&nextPageToken=${first.body.NextPageToken}`)
  expect(second.body).toEqual({ Items: [part.body] })
  expect(await one(payment, part.body.RefundId)).toMatchObject({ status: 200, body: part.body })
  expect(await one(payment, newKey())).toMatchObject({ status: 404, body: { code: 'refund_not_found' } })

  expect(await eventsOf(payment)).toMatchObject([
    {
      type: 'refund.succeeded',
      data: { refundId: part.body.RefundId, amount: 5_000, refundedAmount: 5_000, refundReference: 'CN-1' },
    },
    { type: 'refund.succeeded', data: { refundId: rest.body.RefundId, amount: 20_000, refundedAmount: 25_000 } },
  ])
})

test('Under one Idempotency-Key there is one refund, and the reply is the same', async () => {
  const payment = await fixture.paid(site)
  const key = newKey()
  const [first, again] = [
    await fixture.refund(site, payment.RecordId, { Amount: 1_000 }, key),
    await fixture.refund(site, payment.RecordId, { Amount: 1_000 }, key),
  ]
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect((await get(payment)).RefundedAmount).toBe(1_000)
})

test('Of twenty simultaneous refunds of a third each, three are made, and the ledger agrees', async () => {
  const payment = await fixture.paid(site, { LineItems: [{ Price: 9_000, ProductName: 'Filling' }] })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => fixture.refund(site, payment.RecordId, { Amount: 3_000 })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  const refused = answers.filter(({ status }) => status !== 201)
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
    new Set(['422 refund_too_large']),
  )
  expect(await get(payment)).toMatchObject({ Status: 'Refunded', RefundedAmount: 9_000 })
  const { Refunds } = await get(payment)
  const ledger = await fixture.ledgerOf(payment.PaymentId)
  expect(ledger).toMatchObject(Array.from({ length: 3 }, () => ({ status: 'succeeded', amount: 3_000 })))
  expect(new Set(ledger.map(({ refundId }) => refundId))).toEqual(new Set(Refunds.map(({ RefundId }) => RefundId)))
})

test('The platform gives back its fee in proportion, unless the client is set otherwise', async () => {
  const payment = await fixture.paid(site, { FeeAmount: 2_500 })
  await fixture.refund(site, payment.RecordId, { Amount: 5_000 })
  const params = { PaymentIdentifier: payment.RecordId }
  await fixture.call('createRefund', site, { params, body: { Amount: 5_000 }, refundsReturnFee: false })
  const ledger = await fixture.ledgerOf(payment.PaymentId)
  expect(ledger.map(({ feeReturned }) => feeReturned)).toEqual([500, 0])
  const settled = (await fixture.eventsOf(payment.RecordId)).find(({ type }) => type === 'payment.settled')
  expect(settled?.data).toMatchObject({
    amount: 25_000,
    currency: 'EUR',
    feeAmount: 2_500,
    providerAccountId: site.externalAccountId,
    paymentId: payment.PaymentId,
    chargeId: expect.any(String),
  })
})

test('A refund of a payment of another site, and one that does not exist, are not found', async () => {
  const payment = await fixture.paid(site)
  const other = await fixture.readySite()
  const notFound = { status: 404, body: { code: 'payment_not_found' } }
  expect(await fixture.refund(other, payment.RecordId)).toMatchObject(notFound)
  expect(await fixture.refund(site, newKey())).toMatchObject(notFound)
  expect(await fixture.refund(site, payment.RecordId, { Amount: 0 })).toMatchObject({ status: 400 })
})

test('A payment that was not paid, or is disputed, is not refundable; too much is refused with what is left', async () => {
  const unpaid = await fixture.create(site)
  expect(await fixture.refund(site, unpaid.body.RecordId)).toMatchObject({
    status: 422,
    body: { code: 'payment_not_refundable' },
  })
  const payment = await fixture.paid(site)
  await fixture.refund(site, payment.RecordId, { Amount: 24_000 })
  const tooMuch = await fixture.refund(site, payment.RecordId, { Amount: 1_001 })
  expect(tooMuch).toMatchObject({ status: 422, body: { code: 'refund_too_large' } })
  expect(tooMuch.body.detail).toContain('1000 EUR are left')
  await act(payment, 'dispute')
  await eventually(async () => expect((await get(payment)).Status).toBe('Disputed'))
  expect(await fixture.refund(site, payment.RecordId)).toMatchObject({
    status: 422,
    body: { code: 'payment_not_refundable', detail: 'the payment is Disputed' },
  })
})

test('A refund that the bank refuses after it succeeded goes back: record, status and refund.failed tell', async () => {
  const payment = await fixture.paid(site)
  const { body } = await fixture.refund(site, payment.RecordId)
  expect((await get(payment)).Status).toBe('Refunded')
  await act(payment, 'fail-refund')
  await eventually(async () => expect((await get(payment)).Status).toBe('Completed'))
  const after = await get(payment)
  expect(after).toMatchObject({
    RefundedAmount: 0,
    Refunds: [{ RefundId: body.RefundId, Status: 'Failed', FailureReason: 'expired_or_canceled_card' }],
  })
  expect(after.History.at(-1)?.Description).toContain('failed after it had succeeded')
  expect((await eventsOf(payment)).map(({ type }) => type)).toEqual(['refund.succeeded', 'refund.failed'])
  expect(await fixture.refund(site, payment.RecordId)).toMatchObject({ status: 201, body: { Amount: 25_000 } })
})

test("A refund made in the provider's dashboard appears once, with its event, and counts", async () => {
  const payment = await fixture.paid(site)
  await act(payment, 'refund?amount=6000')
  await eventually(async () => expect((await get(payment)).RefundedAmount).toBe(6_000))
  const { Refunds } = await get(payment)
  expect(Refunds).toMatchObject([{ Amount: 6_000, Status: 'Succeeded', ProviderRefundId: expect.any(String) }])
  expect(await eventsOf(payment)).toMatchObject([{ type: 'refund.succeeded', data: { amount: 6_000 } }])
  expect(await fixture.refund(site, payment.RecordId)).toMatchObject({ status: 201, body: { Amount: 19_000 } })
})

test('A payment, its cancellation and its refund leave audit entries, and none of them happens without its entry', async () => {
  const acts = (recordId: string) => auditedActs(fixture.pool, { target: `payment:${recordId}` })
  const paid = await fixture.paid(site)
  await fixture.refund(site, paid.RecordId, { Amount: 5_000 })
  await fixture.refund(site, paid.RecordId, { Amount: 90_000 })
  expect(await acts(paid.RecordId)).toEqual([
    'createPayment Succeeded',
    'createRefund Succeeded',
    'createRefund Refused refund_too_large',
  ])
  const open = (await fixture.create(site)).body
  await withoutAuditEntries(fixture.pool, async () => {
    const count = async () => (await fixture.pool.query('select from payments')).rowCount
    const before = await count()
    expect((await fixture.create(site)).status).toBe(500)
    expect((await fixture.cancel(site, open.RecordId)).status).toBe(500)
    expect((await fixture.refund(site, paid.RecordId)).status).toBe(500)
    expect(await count()).toBe(before)
  })
  expect((await fixture.get(site, open.RecordId)).body.Status).toBe('Pending')
  expect((await get(paid)).RefundedAmount).toBe(5_000)
  await fixture.cancel(site, open.RecordId)
  expect(await acts(open.RecordId)).toEqual(['createPayment Succeeded', 'cancelPayment Succeeded'])
})
