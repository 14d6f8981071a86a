import type { PaymentRecord } from '@frontdesk/contracts'
import { eventually } from '@frontdesk/testing'
import type { ProxiedRequest } from '@frontdesk/testing/provider-proxy'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newKey, openPaymentsFixture, type PaymentsFixture } from './payments-fixture.ts'

let fixture: PaymentsFixture
let site: Awaited<ReturnType<PaymentsFixture['readySite']>>
beforeAll(async () => {
  fixture = await openPaymentsFixture()
  site = await fixture.readySite()
})
afterEach(async () => {
  fixture.network.inject(undefined)
  fixture.onWebhook(fixture.pass)
  await fixture.setFaults({})
})
afterAll(() => fixture[Symbol.asyncDispose]())

const isRefund = ({ method, path }: ProxiedRequest) => method === 'POST' && path === '/v1/refunds'
const get = async ({ RecordId }: PaymentRecord) => (await fixture.get(site, RecordId)).body
const act = ({ PaymentId }: PaymentRecord, action: string) => fixture.control(`checkouts/${PaymentId}/${action}`)
const typesOf = async ({ RecordId }: PaymentRecord) =>
  (await fixture.eventsOf(RecordId)).map(({ type }) => type).filter((type) => !type.startsWith('payment.'))
const loseReplies = () => fixture.network.inject((request) => (isRefund(request) ? 'lose reply' : 'none'))
const loseRequests = () => fixture.network.inject((request) => (isRefund(request) ? 'lose request' : 'none'))
const deaf = () => fixture.onWebhook(async () => 200)

/** Makes a payment and its refunds older: they are due, and the request that made them has ended. */
async function grows({ RecordId }: PaymentRecord, by: string): Promise<void> {
  await fixture.pool.query(`update refunds set created_at = created_at - $2::interval where record_id = $1`, [
    RecordId,
    by,
  ])
  await fixture.makeDue(RecordId)
}

async function alertsOf(code: string): Promise<number> {
  const metrics = await (await fetch(`${fixture.url('payments')}/metrics`)).text()
  return Number(new RegExp(`payment_alerts_total\\{code="${code}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0)
}

const comesTo = (payment: PaymentRecord, expected: object) =>
  eventually(async () => expect(await get(payment)).toMatchObject(expected), { within: 10_000 })

test('When every reply is lost, the retry under the same key finds the one refund that was made', async () => {
  const payment = await fixture.paid(site)
  const key = newKey()
  loseReplies()
  const lost = await fixture.refund(site, payment.RecordId, { Amount: 5_000 }, key)
  expect(lost).toMatchObject({ status: 503, body: { code: 'provider_outcome_unknown', RefundId: expect.any(String) } })
  fixture.network.inject(undefined)
  const retried = await fixture.refund(site, payment.RecordId, { Amount: 5_000 }, key)
  expect(retried).toMatchObject({ status: 201, body: { RefundId: lost.body.RefundId, Status: 'Succeeded' } })
  expect(await fixture.ledgerOf(payment.PaymentId)).toMatchObject([{ refundId: lost.body.RefundId, amount: 5_000 }])
  expect(await typesOf(payment)).toEqual(['refund.succeeded'])
})

test('A refund whose reply and webhooks are lost is found by the sweep, and not made twice', async () => {
  const payment = await fixture.paid(site)
  deaf()
  loseReplies()
  expect((await fixture.refund(site, payment.RecordId)).status).toBe(503)
  fixture.network.inject(undefined)
  await grows(payment, '20 seconds')
  await comesTo(payment, { Status: 'Refunded', RefundedAmount: 25_000, Refunds: [{ Status: 'Succeeded' }] })
  expect(await fixture.ledgerOf(payment.PaymentId)).toHaveLength(1)
})

test('A refund whose process is killed before it is sent is sent by the sweep, under the same key', async () => {
  const payment = await fixture.paid(site)
  await fixture.stop()
  const running = await fixture.spawn('payments')
  let killed = Promise.resolve()
  fixture.network.inject((request) => {
    if (!isRefund(request)) return 'none'
    running.kill('SIGKILL')
    killed = running.exited.then(() => {})
    return 'lose request'
  })
  const key = newKey()
  await expect(fixture.refund(site, payment.RecordId, { Amount: 700 }, key)).rejects.toThrow()
  await killed
  fixture.network.inject(undefined)
  await fixture.start()
  await grows(payment, '20 seconds')
  await comesTo(payment, { Status: 'PartiallyRefunded', Refunds: [{ Amount: 700, Status: 'Succeeded' }] })
  await fixture.pool.query('update idempotency_keys set lease_until = now() where key = $1', [key])
  const resumed = await fixture.refund(site, payment.RecordId, { Amount: 700 }, key)
  expect(resumed).toMatchObject({ status: 201, body: { Status: 'Succeeded' } })
  expect(await fixture.ledgerOf(payment.PaymentId)).toMatchObject([{ refundId: resumed.body.RefundId }])
})

test('A refund of unknown outcome is looked up before it ends: one that was made succeeds, another one fails', async () => {
  const [made, unmade] = [await fixture.paid(site), await fixture.paid(site)]
  deaf()
  loseReplies()
  await fixture.refund(site, made.RecordId, { Amount: 100 })
  loseRequests()
  const lost = await fixture.refund(site, unmade.RecordId, { Amount: 100 }, newKey())
  expect(lost.status).toBe(503)
  fixture.network.inject(undefined)
  const before = await alertsOf('refund_outcome_unknown')
  const sent = fixture.network.requests.filter(isRefund).length
  for (const payment of [made, unmade]) await grows(payment, '24 hours')
  await comesTo(made, { RefundedAmount: 100, Refunds: [{ Status: 'Succeeded' }] })
  await comesTo(unmade, {
    RefundedAmount: 0,
    Refunds: [{ Status: 'Failed', FailureReason: 'provider_outcome_unknown' }],
  })
  expect(await typesOf(made)).toEqual(['refund.succeeded'])
  expect(await typesOf(unmade)).toEqual(['refund.failed'])
  expect(await alertsOf('refund_outcome_unknown')).toBe(before + 1)
  // Sent again so late, the provider would have made a second one.
  expect(fixture.network.requests.filter(isRefund)).toHaveLength(sent)
})

test('While the provider does not tell, a refund of unknown outcome neither ends nor frees its amount', async () => {
  const payment = await fixture.paid(site)
  deaf()
  loseReplies()
  await fixture.refund(site, payment.RecordId, { Amount: 20_000 }, newKey())
  fixture.network.inject(() => 'lose request')
  await grows(payment, '24 hours')
  await eventually(async () => {
    const { rows } = await fixture.pool.query('select from payments where id = $1 and next_check_at > now()', [
      payment.RecordId,
    ])
    expect(rows).toHaveLength(1)
  })
  expect(await fixture.refund(site, payment.RecordId, { Amount: 6_000 })).toMatchObject({
    status: 422,
    body: { code: 'refund_too_large' },
  })
  const stored = await fixture.pool.query('select status from refunds where record_id = $1', [payment.RecordId])
  expect(stored.rows).toEqual([{ status: 'Created' }])
})

test('A refund that surely was not sent is withdrawn without a key, and resumed with one', async () => {
  const payment = await fixture.paid(site)
  await fixture.network.close()
  const key = newKey()
  try {
    const answers = [
      await fixture.refund(site, payment.RecordId, { Amount: 100 }),
      await fixture.refund(site, payment.RecordId, { Amount: 200 }, key),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } })
  } finally {
    await fixture.network.open()
  }
  expect((await get(payment)).Refunds).toMatchObject([{ Amount: 200, Status: 'Created' }])
  await eventually(async () => {
    const resumed = await fixture.refund(site, payment.RecordId, { Amount: 200 }, key)
    expect(resumed).toMatchObject({ status: 201, body: { Amount: 200, Status: 'Succeeded' } })
  })
  expect(await fixture.ledgerOf(payment.PaymentId)).toMatchObject([{ amount: 200 }])
  expect(await typesOf(payment)).toEqual(['refund.succeeded'])
})

test('A pending refund is followed until the bank decides, also when every webhook is lost', async () => {
  const [settled, failed] = [await fixture.paid(site), await fixture.paid(site)]
  await fixture.setFaults({ refunds: { pending: { next: 2 } } })
  deaf()
  for (const payment of [settled, failed]) {
    const answer = await fixture.refund(site, payment.RecordId)
    expect(answer).toMatchObject({ status: 201, body: { Status: 'Pending', Amount: 25_000 } })
    expect(await get(payment)).toMatchObject({ Status: 'Completed', RefundedAmount: 0 })
  }
  await act(settled, 'settle-refund')
  await act(failed, 'fail-refund')
  for (const payment of [settled, failed]) await grows(payment, '3 days')
  await comesTo(settled, { Status: 'Refunded', Refunds: [{ Status: 'Succeeded' }] })
  await comesTo(failed, { Status: 'Completed', Refunds: [{ Status: 'Failed' }] })
  expect(await typesOf(settled)).toEqual(['refund.succeeded'])
  expect(await typesOf(failed)).toEqual(['refund.failed'])
})

test('A read of a refund asks the provider if its last answer is old', async () => {
  const payment = await fixture.paid(site)
  await fixture.setFaults({ refunds: { pending: { next: 1 } } })
  deaf()
  const { body } = await fixture.refund(site, payment.RecordId, { Amount: 300 })
  await act(payment, 'settle-refund')
  const read = async () => {
    const params = { PaymentIdentifier: payment.RecordId, RefundIdentifier: body.RefundId }
    const answer: unknown = (await fixture.call('getRefund', site, { params })).body
    return answer
  }
  expect(await read()).toMatchObject({ Status: 'Pending' })
  await fixture.pool.query(`update payments set checked_at = now() - interval '16 seconds' where id = $1`, [
    payment.RecordId,
  ])
  expect(await read()).toMatchObject({ Status: 'Succeeded' })
})

test('What the provider refuses is 422 with its code, has no event and is not listed; the record then learns why', async () => {
  const payment = await fixture.paid(site)
  deaf()
  await act(payment, 'refund')
  const key = newKey()
  const refused = await fixture.refund(site, payment.RecordId, {}, key)
  expect(refused).toMatchObject({
    status: 422,
    body: { code: 'provider_rejected', providerCode: 'charge_already_refunded', RefundId: expect.any(String) },
  })
  expect((await fixture.refund(site, payment.RecordId, {}, key)).body).toEqual(refused.body)
  await fixture.makeDue(payment.RecordId)
  await comesTo(payment, { Status: 'Refunded', Refunds: [{ Amount: 25_000, Status: 'Succeeded' }] })
  const params = { PaymentIdentifier: payment.RecordId, RefundIdentifier: refused.body.RefundId }
  const shown: unknown = (await fixture.call('getRefund', site, { params })).body
  expect(shown).toMatchObject({ Status: 'Failed', FailureReason: 'charge_already_refunded' })
  expect(await typesOf(payment)).toEqual(['refund.succeeded'])
})

test('A payment that an earlier version knew to be refunded gets its refunds at its next check, without events', async () => {
  const payment = await fixture.paid(site)
  // A webhook would bring the refunds before this test looks.
  deaf()
  await act(payment, 'refund?amount=4000')
  await act(payment, 'refund?amount=1000')
  await fixture.makeDue(payment.RecordId)
  await comesTo(payment, { RefundedAmount: 5_000 })
  await fixture.pool.query('delete from refunds where record_id = $1', [payment.RecordId])
  await fixture.pool.query('update payments set paid_amount = null, paid_currency = null where id = $1', [
    payment.RecordId,
  ])
  const sent = await typesOf(payment)
  expect(await get(payment)).toMatchObject({ RefundedAmount: 5_000, Refunds: [], PaidAmount: 25_000 })
  // A refund asks first, so that it is not larger than what is left.
  expect(await fixture.refund(site, payment.RecordId, { Amount: 20_001 })).toMatchObject({
    status: 422,
    body: { code: 'refund_too_large' },
  })
  const { RefundedAmount, Refunds } = await get(payment)
  expect(RefundedAmount).toBe(5_000)
  expect(new Set(Refunds.map(({ Amount }) => Amount))).toEqual(new Set([4_000, 1_000]))
  expect(await typesOf(payment)).toEqual(sent)
})
