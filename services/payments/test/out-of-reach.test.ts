import { setTimeout } from 'node:timers/promises'
import { eventually } from '@frontdesk/testing'
import type { SandboxWebhook } from '@frontdesk/testing/provider-fixture'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newKey, openPaymentsFixture, type Answer, type PaymentsFixture } from './payments-fixture.ts'

// Practices that disconnect their account while payments are open, and sites that are deleted while one is created.

let fixture: PaymentsFixture
beforeAll(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => {
  fixture.network.inject(undefined)
  fixture.onWebhook(fixture.pass)
})
afterAll(() => fixture[Symbol.asyncDispose]())

type Site = Awaited<ReturnType<PaymentsFixture['readySite']>>

const typesOf = async (recordId: string) => (await fixture.eventsOf(recordId)).map((event) => event.type)
const disconnect = (site: Site) => fixture.control(`accounts/${site.externalAccountId}/deauthorize`)
const openPayments = async ({ slug }: Site) =>
  (await fixture.internal('accounts').call('countOpenPayments', { SiteSlug: slug, Provider: 'Sandbox' }, {})).open

/** Keeps the webhooks of payments back; those of accounts pass. */
function keepBack(): SandboxWebhook[] {
  const kept: SandboxWebhook[] = []
  fixture.onWebhook(async (webhook) => {
    if (webhook.for === 'accounts') return fixture.pass(webhook)
    kept.push(webhook)
    return 200
  })
  return kept
}

/** Waits until the service knows that the practice has disconnected its account. */
async function untilKnown({ slug }: Site): Promise<void> {
  const known = `select status from account_copies where site_slug = $1`
  await eventually(
    async () => expect((await fixture.pool.query(known, [slug])).rows).toEqual([{ status: 'Disabled' }]),
    {
      within: 15_000,
    },
  )
}

async function paidThenDisconnected(): Promise<{ site: Site; created: Answer; kept: SandboxWebhook[] }> {
  const site = await fixture.readySite()
  const created = await fixture.create(site)
  const kept = keepBack()
  await fixture.control(`checkouts/${created.body.PaymentId}/pay`)
  await eventually(() => expect(kept.map(({ type }) => type)).toContain('checkout.session.completed'))
  await disconnect(site)
  await untilKnown(site)
  return { site, created, kept }
}

test('A payment that was paid before the practice disconnected completes by the signed event alone, with an alert', async () => {
  const { site, created, kept } = await paidThenDisconnected()
  for (const webhook of kept) await fixture.pass(webhook)
  const recordId = created.body.RecordId
  await eventually(async () => expect(await typesOf(recordId)).toContain('payment.succeeded'))
  expect((await fixture.get(site, recordId)).body).toMatchObject({
    Status: 'Completed',
    PaidAmount: 25_000,
    PaidCurrency: 'EUR',
  })
  expect(await typesOf(recordId)).not.toContain('payment.failed')
  expect(await openPayments(site)).toBe(0)
})

test('A signed event that came while the provider was away proves the payment to a later check, days after', async () => {
  const site = await fixture.readySite()
  const created = await fixture.create(site)
  const recordId = created.body.RecordId
  const kept = keepBack()
  await fixture.control(`checkouts/${created.body.PaymentId}/pay`)
  await eventually(() => expect(kept.map(({ type }) => type)).toContain('checkout.session.completed'))
  await fixture.network.close()
  for (const webhook of kept) await fixture.pass(webhook)
  const noted = `select count(*)::int as count from provider_events where record_id = $1 and note like 'the payment is due%'`
  await eventually(async () => expect((await fixture.pool.query(noted, [recordId])).rows[0].count).toBeGreaterThan(0))
  await fixture.network.open()
  await disconnect(site)
  await fixture.pool.query(
    `update payments set created_at = now() - interval '6 days', expires_at = now() - interval '5 days',
            checked_at = now() - interval '1 day', next_check_at = now() where id = $1`,
    [recordId],
  )
  await eventually(async () => expect(await typesOf(recordId)).toContain('payment.succeeded'), { within: 20_000 })
  expect(await typesOf(recordId)).not.toContain('payment.failed')
})

test('What is stored of a webhook has neither the client secret nor the name of the patient', async () => {
  const site = await fixture.readySite()
  const created = await fixture.create(site)
  await fixture.control(`checkouts/${created.body.PaymentId}/pay`)
  await eventually(async () => expect(await typesOf(created.body.RecordId)).toContain('payment.succeeded'))
  const stored = await fixture.pool.query<{ payload: string }>(
    'select payload from provider_events where record_id = $1',
    [created.body.RecordId],
  )
  const payloads = stored.rows.map((row) => row.payload)
  expect(payloads.length).toBeGreaterThan(0)
  expect(payloads.join('\n')).toContain(created.body.PaymentId)
  for (const secret of ['client_secret', '_secret_', 'customer_details', 'billing_details', 'name']) {
    expect(payloads.join('\n')).not.toContain(secret)
  }
})

test('Open payments of a disconnected account keep nobody from deleting it; they are not failed, and a person is told', async () => {
  const site = await fixture.readySite()
  const [open, processing] = [await fixture.create(site), await fixture.create(site)]
  await fixture.control(`checkouts/${processing.body.PaymentId}/delay`)
  await eventually(async () =>
    expect((await fixture.get(site, processing.body.RecordId)).body.Status).toBe('Processing'),
  )
  expect(await openPayments(site)).toBe(2)
  await disconnect(site)
  await untilKnown(site)
  await eventually(async () => expect(await openPayments(site)).toBe(0), { within: 15_000 })
  for (const [payment, status] of [
    [open, 'Pending'],
    [processing, 'Processing'],
  ] as const) {
    expect((await fixture.get(site, payment.body.RecordId)).body.Status).toBe(status)
    expect(await typesOf(payment.body.RecordId)).toEqual(['payment.created'])
  }
})

test('A payment whose account is disconnected cannot be cancelled: the answer says why, and the provider is not asked on and on', async () => {
  const site = await fixture.readySite()
  const created = await fixture.create(site)
  await disconnect(site)
  await untilKnown(site)
  const recordId = created.body.RecordId
  const cancelled = await fixture.cancel(site, recordId)
  expect(cancelled).toMatchObject({ status: 422, body: { code: 'payment_not_cancellable' } })
  expect(JSON.stringify(cancelled.body)).toContain('revoked our access')
  const next = `select next_check_at > now() + interval '30 seconds' as later, cancelling from payments where id = $1`
  expect((await fixture.pool.query(next, [recordId])).rows).toEqual([
    { later: true, cancelling: 'requested_by_client' },
  ])
  expect(await openPayments(site)).toBe(0)
})

test('A payment that is inserted while its site is being deleted is found by the deletion, and cancelled', async () => {
  const site = await fixture.readySite()
  const gate = await fixture.pool.connect()
  // Holds the insert of this site up, after it has read that the site is there.
  await gate.query(`create function hold_insert() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(4711); return new; end $$`)
  await gate.query(`create trigger hold_insert before insert on payments for each row
    when (new.site_slug = '${site.slug}') execute function hold_insert()`)
  await gate.query('select pg_advisory_lock(4711)')
  const waiting = `select count(*)::int as count from pg_locks
                    where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`
  const creating = fixture.create(site, {}, newKey())
  await eventually(async () => expect((await gate.query(waiting)).rows).toEqual([{ count: 1 }]))
  await fixture.deleteSite(site)
  // The deletion waits for the insert, or has gone by.
  await eventually(async () => {
    const deleted = await gate.query('select 1 from deleted_sites where slug = $1', [site.slug])
    expect((await gate.query(waiting)).rows[0].count === 2 || deleted.rowCount === 1).toBe(true)
  })
  // Without the lock this is the moment in which the deletion looks for payments, and finds none.
  await setTimeout(250)
  await gate.query('select pg_advisory_unlock(4711)')
  const created = await creating
  await gate.query('drop trigger hold_insert on payments')
  gate.release()
  await eventually(
    async () => {
      await fixture.pool.query(
        `update payments set next_check_at = now() where id = $1 and status = 'Pending' and cancelling is not null`,
        [created.body.RecordId],
      )
      expect(await typesOf(created.body.RecordId)).toContain('payment.cancelled')
    },
    { within: 15_000, every: 250 },
  )
})
