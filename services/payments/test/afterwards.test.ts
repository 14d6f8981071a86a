import { eventually } from '@frontdesk/testing'
import type { ProxiedRequest } from '@frontdesk/testing/provider-proxy'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openPaymentsFixture, statusesOf, type Answer, type PaymentsFixture } from './payments-fixture.ts'

let fixture: PaymentsFixture
let site: Awaited<ReturnType<PaymentsFixture['readySite']>>
beforeAll(async () => {
  fixture = await openPaymentsFixture()
  site = await fixture.readySite()
})
afterEach(async () => {
  fixture.network.inject(undefined)
  fixture.onWebhook(fixture.pass)
})
afterAll(() => fixture[Symbol.asyncDispose]())

const paidTypes = ['payment.created', 'payment.succeeded', 'payment.settled']
const typesOf = async (recordId: string) => (await fixture.eventsOf(recordId)).map((event) => event.type)
const act = (payment: Answer, action: string) => fixture.control(`checkouts/${payment.body.PaymentId}/${action}`)
const isCheckout = ({ method, path }: ProxiedRequest) => method === 'POST' && path === '/v1/checkout/sessions'

/** Waits until the record's history has these statuses. */
async function comesTo(recordId: string, statuses: string[]): Promise<Answer> {
  return eventually(async () => {
    const got = await fixture.get(site, recordId)
    expect(statusesOf(got)).toEqual(statuses)
    return got
  })
}

async function paidPayment(): Promise<Answer> {
  const created = await fixture.create(site)
  await act(created, 'pay')
  return comesTo(created.body.RecordId, ['Created', 'Pending', 'Completed'])
}

/** Creates a payment whose checkout exists, but the service does not know it: the reply is lost. */
async function unknownPayment(): Promise<{ recordId: string; paymentId: string }> {
  fixture.network.inject((request) => (isCheckout(request) ? 'lose reply' : 'none'))
  const answer = await fixture.create(site)
  fixture.network.inject(undefined)
  expect(answer.status).toBe(503)
  const [paymentId = ''] = await fixture.checkoutsOf(answer.body.RecordId)
  return { recordId: answer.body.RecordId, paymentId }
}

/** Makes a payment so old that the provider has forgotten its key. */
const grewOld = (recordId: string) =>
  fixture.pool.query(
    `update payments set created_at = now() - interval '24 hours', next_check_at = now() where id = $1`,
    [recordId],
  )

async function alertsOf(code: string): Promise<number> {
  const metrics = await (await fetch(`${fixture.url('payments')}/metrics`)).text()
  return Number(new RegExp(`payment_alerts_total\\{code="${code}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0)
}

test('Refunds made at the provider appear in the record, part by part, each with its event', async () => {
  const { body } = await paidPayment()
  await fixture.control(`checkouts/${body.PaymentId}/refund?amount=5000`)
  const inPart = await comesTo(body.RecordId, ['Created', 'Pending', 'Completed', 'PartiallyRefunded'])
  expect(inPart.body.History.at(-1)?.Description).toBe('Refunded 5000 of 25000 EUR (minor units)')
  await fixture.control(`checkouts/${body.PaymentId}/refund?amount=1000`)
  await comesTo(body.RecordId, ['Created', 'Pending', 'Completed', 'PartiallyRefunded', 'PartiallyRefunded'])
  await fixture.control(`checkouts/${body.PaymentId}/refund`)
  const whole = await comesTo(body.RecordId, [
    'Created',
    'Pending',
    'Completed',
    'PartiallyRefunded',
    'PartiallyRefunded',
    'Refunded',
  ])
  expect(whole.body).toMatchObject({ Amount: 25_000, RefundedAmount: 25_000 })
  expect(new Set(whole.body.Refunds.map(({ Amount }) => Amount))).toEqual(new Set([1_000, 5_000, 19_000]))
  expect(await typesOf(body.RecordId)).toEqual([...paidTypes, ...Array(3).fill('refund.succeeded')])
})

test('A dispute and its result appear in the record and are told, and payment.succeeded is sent only once', async () => {
  const [won, lost] = [await paidPayment(), await paidPayment()]
  const disputed = ['Created', 'Pending', 'Completed', 'Disputed']
  for (const payment of [won, lost]) {
    await act(payment, 'dispute')
    await comesTo(payment.body.RecordId, disputed)
  }
  await act(won, 'win-dispute')
  await act(lost, 'lose-dispute')
  await comesTo(won.body.RecordId, [...disputed, 'Completed'])
  await comesTo(lost.body.RecordId, [...disputed, 'ChargedBack'])
  for (const { body } of [won, lost]) {
    expect(await typesOf(body.RecordId)).toEqual([...paidTypes, 'dispute.opened', 'dispute.closed'])
  }
  const closed = (await fixture.eventsOf(won.body.RecordId)).at(-1)
  expect(closed?.data).toMatchObject({ disputeOutcome: 'won', disputeId: expect.any(String), amount: 25_000 })
})

test('A dispute that was lost and is won in the end leads back to Completed, and both ends are told', async () => {
  const { body } = await paidPayment()
  for (const action of ['dispute', 'lose-dispute']) await fixture.control(`checkouts/${body.PaymentId}/${action}`)
  const lost = ['Created', 'Pending', 'Completed', 'Disputed', 'ChargedBack']
  await comesTo(body.RecordId, lost)
  await fixture.control(`checkouts/${body.PaymentId}/reopen-dispute`)
  await comesTo(body.RecordId, [...lost, 'Disputed'])
  await fixture.control(`checkouts/${body.PaymentId}/win-dispute`)
  await comesTo(body.RecordId, [...lost, 'Disputed', 'Completed'])
  const ends = (await fixture.eventsOf(body.RecordId)).filter(({ type }) => type === 'dispute.closed')
  expect(ends.map(({ data }) => data['disputeOutcome'])).toEqual(['lost', 'won'])
})

test('A dispute after a full refund shows, and its end leads back to Refunded', async () => {
  const { body } = await paidPayment()
  const refunded = ['Created', 'Pending', 'Completed', 'Refunded']
  await fixture.control(`checkouts/${body.PaymentId}/refund`)
  await comesTo(body.RecordId, refunded)
  await fixture.control(`checkouts/${body.PaymentId}/dispute`)
  await comesTo(body.RecordId, [...refunded, 'Disputed'])
  await fixture.control(`checkouts/${body.PaymentId}/win-dispute`)
  await comesTo(body.RecordId, [...refunded, 'Disputed', 'Refunded'])
})

test('After a dispute is won, a payment that was refunded in part is PartiallyRefunded again', async () => {
  const { body } = await paidPayment()
  await fixture.control(`checkouts/${body.PaymentId}/refund?amount=5000`)
  await comesTo(body.RecordId, ['Created', 'Pending', 'Completed', 'PartiallyRefunded'])
  await fixture.control(`checkouts/${body.PaymentId}/dispute`)
  await comesTo(body.RecordId, ['Created', 'Pending', 'Completed', 'PartiallyRefunded', 'Disputed'])
  await fixture.control(`checkouts/${body.PaymentId}/win-dispute`)
  await comesTo(body.RecordId, [
    'Created',
    'Pending',
    'Completed',
    'PartiallyRefunded',
    'Disputed',
    'PartiallyRefunded',
  ])
})

test("A read finds a refund whose webhook was lost, once the provider's last answer is old", async () => {
  const { body } = await paidPayment()
  fixture.onWebhook(async () => 200)
  await fixture.control(`checkouts/${body.PaymentId}/refund`)
  expect(statusesOf(await fixture.get(site, body.RecordId)).at(-1)).toBe('Completed')
  await fixture.pool.query(`update payments set checked_at = now() - interval '16 seconds' where id = $1`, [
    body.RecordId,
  ])
  expect(statusesOf(await fixture.get(site, body.RecordId)).at(-1)).toBe('Refunded')
})

test('Money that is proven after the payment was given up completes it, sends one event, and raises an alert', async () => {
  const { recordId, paymentId } = await unknownPayment()
  await grewOld(recordId)
  await comesTo(recordId, ['Created', 'Failed'])
  const before = await alertsOf('money_after_failed')
  await fixture.control(`checkouts/${paymentId}/pay`)
  const late = await comesTo(recordId, ['Created', 'Failed', 'Completed'])
  expect(late.body.History.at(-1)?.Description).toMatch(/^Paid .*, although it had ended as Failed$/)
  expect(await typesOf(recordId)).toEqual(['payment.failed', 'payment.succeeded', 'payment.settled'])
  expect(await alertsOf('money_after_failed')).toBe(before + 1)
})

test('Money that is proven after the payment was cancelled completes it too', async () => {
  const { recordId, paymentId } = await unknownPayment()
  fixture.network.inject(() => 'lose request')
  expect(await fixture.cancel(site, recordId)).toMatchObject({ status: 503, body: { RecordId: recordId } })
  await grewOld(recordId)
  await comesTo(recordId, ['Created', 'Cancelled'])
  fixture.network.inject(undefined)
  const before = await alertsOf('money_after_cancelled')
  await fixture.control(`checkouts/${paymentId}/pay`)
  await eventually(async () => expect(statusesOf(await fixture.get(site, recordId)).at(-1)).toBe('Completed'), {
    within: 20_000,
  })
  expect(await typesOf(recordId)).toEqual(['payment.cancelled', 'payment.succeeded', 'payment.settled'])
  expect(await alertsOf('money_after_cancelled')).toBe(before + 1)
})
