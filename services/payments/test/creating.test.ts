import { eventually } from '@frontdesk/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newKey, openPaymentsFixture, someSite, statusesOf, type PaymentsFixture } from './payments-fixture.ts'

let fixture: PaymentsFixture
let site: Awaited<ReturnType<PaymentsFixture['readySite']>>
beforeAll(async () => {
  fixture = await openPaymentsFixture()
  site = await fixture.readySite()
})
afterEach(() => fixture.network.inject(undefined))
afterAll(() => fixture[Symbol.asyncDispose]())

const listed = async (at = site) => (await fixture.call('listPayments', at)).body.Items
const checkouts = () =>
  fixture.network.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions')

test('A request that the rules refuse is 422 with its code, and leaves no payment behind', async () => {
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
    const answer = await fixture.create(site, more as object)
    expect(answer, code).toMatchObject({ status: 422, body: { code } })
  }
  for (const status of ['Suspended', 'Closed'] as const) {
    expect(await fixture.create({ ...site, status })).toMatchObject({ status: 422, body: { code: 'site_suspended' } })
  }
  expect(await listed()).toEqual([])
})

test('A record says what the card statement will show, and not only what was asked', async () => {
  const asked = 'PAIN-FREE DENTISTRY 24'
  const created = await fixture.create(site, { StatementDescriptor: asked })
  expect(created.body.StatementDescriptor).toBe(asked)
  const text = created.body.CardStatementText ?? ''
  expect(text).toMatch(/^SMILE[ A-Z]*\* PAIN-FREE/i)
  expect(text.length).toBeLessThanOrEqual(22)
  expect((await fixture.get(site, created.body.RecordId)).body.CardStatementText).toBe(text)
  expect((await fixture.create(site)).body).not.toHaveProperty('CardStatementText')
})

test('A fee above the amount is capped at the amount', async () => {
  const created = await fixture.create(site, { FeeAmount: 2 ** 62 })
  expect(created).toMatchObject({ status: 201, body: { FeeAmount: 25_000 } })
})

test('An Idempotency-Key replays the reply, refuses another body, and never creates a second payment', async () => {
  const key = newKey()
  const first = await fixture.create(site, {}, key)
  const made = checkouts().length
  const again = await fixture.create(site, {}, key)
  expect(again).toMatchObject({ status: 201, body: first.body })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await fixture.create(site, { Reference: 'other' }, key)).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  })
  expect(checkouts()).toHaveLength(made)
})

test('Racing requests under one key create one payment', async () => {
  const key = newKey()
  const before = (await listed()).length
  const answers = await Promise.all(Array.from({ length: 5 }, () => fixture.create(site, {}, key)))
  const made = answers.filter((answer) => answer.status === 201)
  expect(made.length).toBeGreaterThan(0)
  for (const answer of answers) expect([201, 409]).toContain(answer.status)
  expect(new Set(made.map((answer) => answer.body.RecordId)).size).toBe(1)
  expect(await listed()).toHaveLength(before + 1)
})

test('A request whose payment was saved but whose key was not settled gets the same payment again', async () => {
  const key = newKey()
  const first = await fixture.create(site, {}, key)
  const made = checkouts().length
  await fixture.pool.query('update idempotency_keys set status = null, lease_until = now() where key = $1', [key])
  const resumed = await fixture.create(site, {}, key)
  expect(resumed).toMatchObject({ status: 201, body: first.body })
  expect(resumed.headers.get('idempotency-replayed')).toBeNull()
  expect(checkouts()).toHaveLength(made)
})

test('A site that is deleted between the decision and the insert gets no payment', async () => {
  const mine = await fixture.readySite()
  const made = checkouts().length
  const deletion = await fixture.pool.connect()
  // The insert waits for this lock; the reads before it do not.
  await deletion.query('begin')
  await deletion.query('lock table payments in exclusive mode')
  const creating = fixture.create(mine)
  await eventually(async () => {
    const waiting = await fixture.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'with made as (%insert into payments (%'`,
    )
    expect(waiting.rowCount).toBe(1)
  })
  await deletion.query('insert into deleted_sites (slug) values ($1)', [mine.slug])
  await deletion.query('commit')
  deletion.release()
  expect(await creating).toMatchObject({ status: 404, body: { code: 'site_not_found' } })
  expect(await listed(mine)).toEqual([])
  expect(checkouts()).toHaveLength(made)
})

test('A site without an account that can charge is refused only after the accounts service was asked', async () => {
  const bare = someSite()
  expect(await fixture.create(bare)).toMatchObject({ status: 422, body: { code: 'provider_account_not_ready' } })
  const { body: made } = await fixture.call('createAccount', bare, { body: { paymentProvider: 'Sandbox' } })
  expect(await fixture.create(bare)).toMatchObject({ status: 422, body: { code: 'provider_account_not_ready' } })
  // Our copy may not have the new status yet: the accounts service is asked.
  await fixture.control(`accounts/${made.account.externalAccountId}/complete`)
  await eventually(async () => expect((await fixture.create(bare)).status).toBe(201))
})

test('A missing account copy is asked for and stored', async () => {
  const mine = await fixture.readySite()
  await fixture.pool.query('delete from account_copies where site_slug = $1', [mine.slug])
  expect((await fixture.create(mine)).status).toBe(201)
  const copy = await fixture.pool.query('select status from account_copies where site_slug = $1', [mine.slug])
  expect(copy.rows).toEqual([{ status: 'Active' }])
})

test('An account that disconnects from us takes no more payments once its event has arrived', async () => {
  const mine = await fixture.readySite()
  const open = await fixture.create(mine)
  expect(open.status).toBe(201)
  await fixture.control(`accounts/${mine.externalAccountId}/deauthorize`)
  await eventually(async () => {
    const copy = await fixture.pool.query('select status from account_copies where site_slug = $1', [mine.slug])
    expect(copy.rows).toEqual([{ status: 'Disabled' }])
  })
  const made = checkouts().length
  expect(await fixture.create(mine)).toMatchObject({ status: 422, body: { code: 'provider_account_not_ready' } })
  expect(checkouts()).toHaveLength(made)
  // An open payment stays readable, though the provider no longer answers about it.
  await fixture.makeDue(open.body.RecordId)
  expect(await fixture.get(mine, open.body.RecordId)).toMatchObject({ status: 200 })
})

test('An older event of an account does not overwrite a newer copy', async () => {
  const mine = await fixture.readySite()
  const consumed = async () =>
    (await fixture.pool.query(`select 1 from inbox where consumer = 'payments-accounts'`)).rowCount ?? 0
  const before = await consumed()
  await fixture.pool.query('update account_copies set version = 99 where site_slug = $1', [mine.slug])
  await fixture.control(`accounts/${mine.externalAccountId}/restrict`)
  await eventually(async () => expect(await consumed()).toBeGreaterThan(before))
  const copy = await fixture.pool.query('select status, version from account_copies where site_slug = $1', [mine.slug])
  expect(copy.rows).toEqual([{ status: 'Active', version: 99 }])
})

test('A refusal within the request is 422, and the failed record is not listed and sends no event', async () => {
  const mine = await fixture.readySite()
  fixture.onWebhook(async () => 200)
  await fixture.control(`accounts/${mine.externalAccountId}/deauthorize`)
  const key = newKey()
  const refused = await fixture.create(mine, {}, key)
  fixture.onWebhook(fixture.pass)
  expect(refused).toMatchObject({ status: 422, body: { RecordId: expect.any(String) } })
  expect(await listed(mine)).toEqual([])
  expect(await fixture.eventsOf(refused.body.RecordId)).toEqual([])
  expect(statusesOf(await fixture.get(mine, refused.body.RecordId))).toEqual(['Created', 'Failed'])
  const replayed = await fixture.create(mine, {}, key)
  expect(replayed).toMatchObject({ status: 422, body: { code: refused.body.code, RecordId: refused.body.RecordId } })
  expect(replayed.headers.get('idempotency-replayed')).toBe('true')
})

test('Payments are created while NATS is away, and their events follow', async () => {
  await fixture.nats.stop()
  const created = await fixture.create(site)
  expect(created.status).toBe(201)
  await fixture.nats.start()
  await eventually(
    async () => {
      const event = await fixture.pool.query(`select published_at from outbox where aggregate_id = $1`, [
        created.body.RecordId,
      ])
      expect(event.rows[0].published_at).not.toBeNull()
    },
    { within: 20_000 },
  )
}, 40_000)
