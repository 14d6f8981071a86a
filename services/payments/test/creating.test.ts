import { eventually } from '@frontdesk/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newKey, openPaymentsBench, someSite, statusesOf, type PaymentsBench } from './payments-bench.ts'

let bench: PaymentsBench
let site: Awaited<ReturnType<PaymentsBench['readySite']>>
beforeAll(async () => {
  bench = await openPaymentsBench()
  site = await bench.readySite()
})
afterEach(() => bench.network.inject(undefined))
afterAll(() => bench[Symbol.asyncDispose]())

const listed = async (at = site) => (await bench.call('listPayments', at)).body.Items
const checkouts = () =>
  bench.network.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions')

test('what the rules refuse is 422 with its code, and leaves nothing behind', async () => {
  const item = { Price: 100, ProductName: 'Floss' }
  for (const [more, code] of [
    [{ LineItems: [] }, 'line_items_required'],
    [{ LineItems: [{ ...item, Price: 0 }] }, 'amount_too_small'],
    [{ LineItems: [{ ...item, Price: 1 }] }, 'amount_too_small'],
    [{ LineItems: [{ ...item, Quantity: 1_000_000 }] }, 'amount_too_large'],
    [
      { LineItems: [{ ...item, Price: Number.MAX_SAFE_INTEGER, Quantity: Number.MAX_SAFE_INTEGER }] },
      'amount_too_large',
    ],
    [{ StatementDescriptor: 'a<b' }, 'statement_descriptor_refused'],
    [{ PaymentProvider: 'Stripe' as const }, 'provider_not_available'],
  ] as const) {
    const answer = await bench.create(site, more as object)
    expect(answer, code).toMatchObject({ status: 422, body: { code } })
  }
  for (const status of ['Suspended', 'Closed'] as const) {
    expect(await bench.create({ ...site, status })).toMatchObject({ status: 422, body: { code: 'site_suspended' } })
  }
  expect(await listed()).toEqual([])
})

test('a fee above the amount is capped there', async () => {
  const created = await bench.create(site, { FeeAmount: 2 ** 62 })
  expect(created).toMatchObject({ status: 201, body: { FeeAmount: 25_000 } })
})

test('an Idempotency-Key replays the reply, refuses another body, and never makes a second payment', async () => {
  const key = newKey()
  const first = await bench.create(site, {}, key)
  const made = checkouts().length
  const again = await bench.create(site, {}, key)
  expect(again).toMatchObject({ status: 201, body: first.body })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await bench.create(site, { Reference: 'other' }, key)).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  })
  expect(checkouts()).toHaveLength(made)
})

test('requests under one key that race make one payment', async () => {
  const key = newKey()
  const before = (await listed()).length
  const answers = await Promise.all(Array.from({ length: 5 }, () => bench.create(site, {}, key)))
  const made = answers.filter((answer) => answer.status === 201)
  expect(made.length).toBeGreaterThan(0)
  for (const answer of answers) expect([201, 409]).toContain(answer.status)
  expect(new Set(made.map((answer) => answer.body.RecordId)).size).toBe(1)
  expect(await listed()).toHaveLength(before + 1)
})

test('a site without an account that can charge is refused, by the word of accounts alone', async () => {
  const bare = someSite()
  expect(await bench.create(bare)).toMatchObject({ status: 422, body: { code: 'provider_account_not_ready' } })
  const { body: made } = await bench.call('createAccount', bare, { body: { paymentProvider: 'Sandbox' } })
  expect(await bench.create(bare)).toMatchObject({ status: 422, body: { code: 'provider_account_not_ready' } })
  // The copy has not heard of it yet, or never will: accounts is asked.
  await bench.control(`accounts/${made.account.externalAccountId}/complete`)
  await eventually(async () => expect((await bench.create(bare)).status).toBe(201))
})

test('a copy that got lost is asked for, once, and kept', async () => {
  const mine = await bench.readySite()
  await bench.pool.query('delete from account_copies where site_slug = $1', [mine.slug])
  expect((await bench.create(mine)).status).toBe(201)
  const copy = await bench.pool.query('select status from account_copies where site_slug = $1', [mine.slug])
  expect(copy.rows).toEqual([{ status: 'Active' }])
})

test('an account that cuts us off at the provider takes no more payments, as soon as accounts has told us', async () => {
  const mine = await bench.readySite()
  const open = await bench.create(mine)
  expect(open.status).toBe(201)
  await bench.control(`accounts/${mine.externalAccountId}/deauthorize`)
  await eventually(async () => {
    const copy = await bench.pool.query('select status from account_copies where site_slug = $1', [mine.slug])
    expect(copy.rows).toEqual([{ status: 'Disabled' }])
  })
  const made = checkouts().length
  expect(await bench.create(mine)).toMatchObject({ status: 422, body: { code: 'provider_account_not_ready' } })
  expect(checkouts()).toHaveLength(made)
  // What was open stays readable, though the provider no longer tells of it.
  await bench.makeDue(open.body.RecordId)
  expect(await bench.get(mine, open.body.RecordId)).toMatchObject({ status: 200 })
})

test('an older event of an account does not overwrite a newer copy', async () => {
  const mine = await bench.readySite()
  const consumed = async () =>
    (await bench.pool.query(`select 1 from inbox where consumer = 'payments-accounts'`)).rowCount ?? 0
  const before = await consumed()
  await bench.pool.query('update account_copies set version = 99 where site_slug = $1', [mine.slug])
  await bench.control(`accounts/${mine.externalAccountId}/restrict`)
  await eventually(async () => expect(await consumed()).toBeGreaterThan(before))
  const copy = await bench.pool.query('select status, version from account_copies where site_slug = $1', [mine.slug])
  expect(copy.rows).toEqual([{ status: 'Active', version: 99 }])
})

test('a refusal within the request is 422, and the failed record is not listed and told to nobody', async () => {
  const mine = await bench.readySite()
  bench.onWebhook(async () => 200)
  await bench.control(`accounts/${mine.externalAccountId}/deauthorize`)
  const key = newKey()
  const refused = await bench.create(mine, {}, key)
  bench.onWebhook(bench.pass)
  expect(refused).toMatchObject({ status: 422, body: { RecordId: expect.any(String) } })
  expect(await listed(mine)).toEqual([])
  expect(await bench.eventsOf(refused.body.RecordId)).toEqual([])
  expect(statusesOf(await bench.get(mine, refused.body.RecordId))).toEqual(['Created', 'Failed'])
  const replayed = await bench.create(mine, {}, key)
  expect(replayed).toMatchObject({ status: 422, body: { code: refused.body.code, RecordId: refused.body.RecordId } })
  expect(replayed.headers.get('idempotency-replayed')).toBe('true')
})

test('payments are made while NATS is away, and their events follow', async () => {
  await bench.nats.stop()
  const created = await bench.create(site)
  expect(created.status).toBe(201)
  await bench.nats.start()
  await eventually(
    async () => {
      const event = await bench.pool.query(`select published_at from outbox where aggregate_id = $1`, [
        created.body.RecordId,
      ])
      expect(event.rows[0].published_at).not.toBeNull()
    },
    { within: 20_000 },
  )
}, 40_000)
