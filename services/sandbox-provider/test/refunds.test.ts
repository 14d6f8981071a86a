import { randomUUID } from 'node:crypto'
import { eventually, openReceiver, type Receiver } from '@frontdesk/testing'
import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { handledEvents } from '../src/webhooks/store.ts'
import { hostedSession, lineItem, makeAccount, refusal, runSandbox, type RunningSandbox } from './running-sandbox.ts'

let receiver: Receiver
let sandbox: RunningSandbox
let account: string

beforeAll(async () => {
  receiver = await openReceiver()
  sandbox = await runSandbox({
    SANDBOX_WEBHOOK_URL_PAYMENTS: receiver.url,
    SANDBOX_WEBHOOK_EVENTS: [...handledEvents, 'charge.refund.updated'].join(','),
  })
  account = await makeAccount(sandbox)
})
beforeEach(() => sandbox.setFaults({}))
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

interface Paid {
  session: string
  intent: string
  charge: string
}

/** Pays a checkout of 250.00 with a fee of 2.50, or one with other parameters. */
async function paid(changes: Partial<Stripe.Checkout.SessionCreateParams> = {}): Promise<Paid> {
  const options = { stripeAccount: account }
  const { id } = await sandbox.stripe.checkout.sessions.create(hostedSession(changes), options)
  await sandbox.control(`checkouts/${id}/pay`)
  const intent = await intentOf(id)
  return { session: id, intent: intent.id, charge: (intent.latest_charge as Stripe.Charge).id }
}
async function intentOf(session: string): Promise<Stripe.PaymentIntent> {
  const expand = ['payment_intent.latest_charge']
  const found = await sandbox.stripe.checkout.sessions.retrieve(session, { expand }, { stripeAccount: account })
  return found.payment_intent as Stripe.PaymentIntent
}
const chargeOf = async ({ session }: Paid) => (await intentOf(session)).latest_charge as Stripe.Charge
const refund = (params: Stripe.RefundCreateParams, options: Stripe.RequestOptions = {}) =>
  sandbox.stripe.refunds.create(params, { stripeAccount: account, ...options })
const refundsOf = async ({ intent }: Paid) =>
  (await sandbox.stripe.refunds.list({ payment_intent: intent }, { stripeAccount: account })).data
const act = async ({ session }: Paid, action: string) =>
  (await sandbox.control(`checkouts/${session}/${action}`)).status
/** Returns the types of the events about a payment, sorted, once there are as many as expected. */
const eventsOf = async ({ intent }: Paid, expected: string[]) => {
  const seen = () =>
    receiver.requests
      .map((request) => JSON.parse(request.body) as Stripe.Event)
      .filter(({ data }) => (data.object as { payment_intent?: string }).payment_intent === intent)
      .filter(({ type }) => /refund|dispute/.test(type))
  await eventually(() =>
    expect(
      seen()
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(expected.toSorted()),
  )
  return seen()
}

test('a refund without an amount refunds what is left, and shows what it was made with', async () => {
  const payment = await paid()
  const part = await refund({ payment_intent: payment.intent, amount: 5_000 })
  expect(part).toMatchObject({ object: 'refund', amount: 5_000, status: 'succeeded', currency: 'nzd', reason: null })
  expect(part.id).toMatch(/^re_/)
  expect(await chargeOf(payment)).toMatchObject({ amount_refunded: 5_000, refunded: false })
  const metadata = { refundId: 'r1', recordId: 'p1' }
  const rest = await refund({ charge: payment.charge, reason: 'requested_by_customer', metadata })
  expect(rest).toMatchObject({
    amount: 20_000,
    charge: payment.charge,
    payment_intent: payment.intent,
    reason: 'requested_by_customer',
    metadata,
  })
  expect(await chargeOf(payment)).toMatchObject({ amount_refunded: 25_000, refunded: true })
  expect(await sandbox.stripe.refunds.retrieve(rest.id, {}, { stripeAccount: account })).toEqual(
    expect.objectContaining({ id: rest.id, amount: 20_000, metadata }),
  )
})

test('a repeated key returns the same refund and refunds nothing more', async () => {
  const payment = await paid()
  const idempotencyKey = `ref_${randomUUID()}`
  const first = await refund({ payment_intent: payment.intent, amount: 1_000 }, { idempotencyKey })
  const second = await refund({ payment_intent: payment.intent, amount: 1_000 }, { idempotencyKey })
  expect(second.id).toBe(first.id)
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect(await chargeOf(payment)).toMatchObject({ amount_refunded: 1_000 })
  const reused = await refusal(refund({ payment_intent: payment.intent, amount: 2_000 }, { idempotencyKey }))
  expect(reused).toMatchObject({ statusCode: 400, rawType: 'idempotency_error' })
})

test('more than what is left, and anything after a full refund, is refused in the words of Stripe', async () => {
  const payment = await paid()
  const params = { payment_intent: payment.intent }
  expect(await refusal(refund({ ...params, amount: 25_001 }))).toMatchObject({
    statusCode: 400,
    param: 'amount',
    message: 'Refund amount (25001) is greater than unrefunded amount on charge (25000)',
  })
  await refund(params)
  expect(await refusal(refund(params))).toMatchObject({
    statusCode: 400,
    code: 'charge_already_refunded',
    message: `Charge ${payment.charge} has already been refunded.`,
  })
})

test('of several simultaneous full refunds, one succeeds', async () => {
  const payment = await paid()
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => refund({ payment_intent: payment.intent })))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await refundsOf(payment)).toMatchObject([{ amount: 25_000 }])
})

test('a refund names exactly one payment that has taken money, of its own account', async () => {
  const payment = await paid()
  const { id: unpaid } = await sandbox.stripe.checkout.sessions.create(hostedSession(), { stripeAccount: account })
  await sandbox.control(`checkouts/${unpaid}/decline`)
  const declined = (await intentOf(unpaid)).id
  const other = await makeAccount(sandbox)
  const params = { payment_intent: payment.intent }
  expect(await refusal(refund({}))).toMatchObject({ statusCode: 400, code: 'parameter_missing' })
  expect(await refusal(refund({ ...params, charge: payment.charge }))).toMatchObject({ statusCode: 400 })
  expect(await refusal(refund({ payment_intent: declined }))).toMatchObject({
    statusCode: 400,
    message: `This PaymentIntent (${declined}) does not have a successful charge to refund.`,
  })
  for (const options of [{ stripeAccount: other }, { stripeAccount: undefined as never }]) {
    expect(await refusal(refund(params, options))).toMatchObject({ statusCode: 404, code: 'resource_missing' })
  }
  const made = await refund({ ...params, amount: 100 })
  expect(await refusal(sandbox.stripe.refunds.retrieve(made.id, {}, { stripeAccount: other }))).toMatchObject({
    statusCode: 404,
  })
  expect((await sandbox.stripe.refunds.list(params, { stripeAccount: other })).data).toEqual([])
})

test.each([
  [{ amount: 0 }, 'amount'],
  [{ reason: 'dissatisfied' }, 'reason'],
  [{ reverse_transfer: true }, 'reverse_transfer'],
  [{ metadata: { refundId: 'x'.repeat(501) } }, 'metadata[refundId]'],
])('a refund with %o is refused, and the error names %s', async (params, param) => {
  const refused = await refusal(refund({ payment_intent: 'pi_3none', ...(params as object) }))
  expect(refused).toMatchObject({ statusCode: 400, param })
})

test('a refund in krónur must be of whole ones', async () => {
  const payment = await paid({ line_items: [lineItem('Check-up', 250_000, 1, 'isk')] })
  expect(await refusal(refund({ payment_intent: payment.intent, amount: 1_050 }))).toMatchObject({ param: 'amount' })
})

test('refunds are listed newest first, page by page, by payment or by charge', async () => {
  const payment = await paid()
  const made: string[] = []
  for (const amount of [100, 200, 300]) made.unshift((await refund({ payment_intent: payment.intent, amount })).id)
  const list = (params: Stripe.RefundListParams) => sandbox.stripe.refunds.list(params, { stripeAccount: account })
  const first = await list({ charge: payment.charge, limit: 2 })
  expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 2))
  expect(first.has_more).toBe(true)
  const second = await list({ payment_intent: payment.intent, limit: 2, starting_after: made[1] ?? '' })
  expect(second.data.map(({ id }) => id)).toEqual(made.slice(2))
  expect(second.has_more).toBe(false)
  const newest = first.data[0]?.created ?? 0
  expect((await list({ payment_intent: payment.intent, created: { gt: newest } })).data).toEqual([])
})

test('the platform gives back its fee in proportion, if the refund says so', async () => {
  const payment = await paid()
  const params = { payment_intent: payment.intent }
  await refund({ ...params, amount: 5_000 })
  await refund({ ...params, amount: 9_999, refund_application_fee: true })
  const ledger = async () => (await sandbox.ledgerOf(payment.session))?.charges.at(-1)
  expect(await ledger()).toMatchObject({ fee: 250, feeReturned: 99 })
  await refund({ ...params, refund_application_fee: true })
  expect(await ledger()).toMatchObject({
    feeReturned: 250,
    refunds: [{ feeReturned: 0 }, { feeReturned: 99 }, { feeReturned: 151 }],
  })
})

test('a refund that succeeds at once sends its creation and the charge', async () => {
  const payment = await paid()
  await refund({ payment_intent: payment.intent, amount: 1_000, metadata: { recordId: 'p1' } })
  const [first] = await eventsOf(payment, ['charge.refunded', 'refund.created'])
  expect(first?.account).toBe(account)
})

test('a pending refund waits until the bank decides, and counts as refunded meanwhile', async () => {
  await sandbox.setFaults({ refunds: { pending: { next: 1 } } })
  const payment = await paid()
  const pending = await refund({ payment_intent: payment.intent, amount: 4_000 })
  expect(pending).toMatchObject({ status: 'pending', pending_reason: 'processing' })
  expect(await chargeOf(payment)).toMatchObject({ amount_refunded: 4_000 })
  expect(await act(payment, 'settle-refund')).toBe(204)
  expect(await act(payment, 'settle-refund')).toBe(409)
  expect(await refundsOf(payment)).toMatchObject([{ id: pending.id, status: 'succeeded' }])
  await eventsOf(payment, ['charge.refunded', 'refund.created', 'refund.updated', 'charge.refund.updated'])
})

test('a refund can fail at the bank after it succeeded: the charge goes back, and it can be refunded again', async () => {
  const payment = await paid()
  const metadata = { refundId: 'r7' }
  const failed = await refund({ payment_intent: payment.intent, metadata, refund_application_fee: true })
  expect(await act(payment, `fail-refund?refund=${failed.id}`)).toBe(204)
  expect(await act(payment, `fail-refund?refund=${failed.id}`)).toBe(409)
  expect(await act(payment, 'fail-refund?refund=re_none')).toBe(409)
  expect(await refundsOf(payment)).toMatchObject([{ status: 'failed', failure_reason: 'expired_or_canceled_card' }])
  expect(await chargeOf(payment)).toMatchObject({ amount_refunded: 0, refunded: false })
  await eventsOf(payment, ['charge.refunded', 'refund.created', 'refund.failed', 'charge.refund.updated'])
  await refund({ payment_intent: payment.intent })
  expect((await sandbox.ledgerOf(payment.session))?.charges).toMatchObject([
    {
      amountRefunded: 25_000,
      feeReturned: 0,
      refunds: [
        { id: failed.id, refundId: 'r7', status: 'failed', amount: 25_000 },
        { refundId: null, status: 'succeeded', amount: 25_000 },
      ],
    },
  ])
})

test('a refund in the dashboard has no metadata', async () => {
  const payment = await paid()
  expect(await act(payment, 'refund?amount=700')).toBe(204)
  expect(await refundsOf(payment)).toMatchObject([{ amount: 700, metadata: {}, status: 'succeeded' }])
})

test('during a dispute and after a lost one nothing is refunded, after a won one the rest is', async () => {
  const payment = await paid()
  await refund({ payment_intent: payment.intent, amount: 5_000 })
  expect(await act(payment, 'dispute')).toBe(204)
  const disputed = { statusCode: 400, code: 'charge_disputed' }
  expect(await refusal(refund({ payment_intent: payment.intent }))).toMatchObject(disputed)
  expect(await act(payment, 'lose-dispute')).toBe(204)
  expect(await refusal(refund({ payment_intent: payment.intent }))).toMatchObject(disputed)
  expect(await act(payment, 'reopen-dispute')).toBe(204)
  expect(await act(payment, 'win-dispute')).toBe(204)
  expect(await refund({ payment_intent: payment.intent })).toMatchObject({ amount: 20_000 })
})

test('a dispute fails the pending refunds of its charge', async () => {
  await sandbox.setFaults({ refunds: { pending: { next: 1 } } })
  const payment = await paid()
  await refund({ payment_intent: payment.intent, amount: 4_000 })
  expect(await act(payment, 'dispute')).toBe(204)
  expect(await refundsOf(payment)).toMatchObject([
    { status: 'failed', failure_reason: 'charge_for_pending_refund_disputed' },
  ])
})

test('disputes are listed newest first, and a decided one can be opened again', async () => {
  const payment = await paid()
  await refund({ payment_intent: payment.intent, amount: 5_000 })
  for (const action of ['dispute', 'win-dispute', 'dispute?amount=300', 'lose-dispute', 'reopen-dispute']) {
    expect([action, await act(payment, action)]).toEqual([action, 204])
  }
  for (const action of ['dispute', 'reopen-dispute']) {
    expect([action, await act(payment, action)]).toEqual([action, 409])
  }
  const disputes = await sandbox.stripe.disputes.list({ charge: payment.charge }, { stripeAccount: account })
  expect(disputes.data).toMatchObject([
    { status: 'needs_response', amount: 300 },
    { status: 'won', amount: 20_000 },
  ])
  const [newest] = disputes.data
  const found = await sandbox.stripe.disputes.retrieve(newest?.id ?? '', {}, { stripeAccount: account })
  expect(found).toMatchObject({ payment_intent: payment.intent, charge: payment.charge })
  expect((await sandbox.ledgerOf(payment.session))?.charges).toMatchObject([
    { disputeStatus: 'needs_response', disputes: [{ status: 'won' }, { status: 'needs_response' }] },
  ])
  const created = ['charge.refunded', 'refund.created', 'charge.dispute.created', 'charge.dispute.closed']
  const again = ['charge.dispute.created', 'charge.dispute.closed', 'charge.dispute.updated']
  await eventsOf(payment, [...created, ...again])
})
