import { eventually } from '@frontdesk/testing'
import { craftWebhook, eventIdOf } from '@frontdesk/testing/crafted-webhook'
import type { SandboxWebhook } from '@frontdesk/testing/provider-fixture'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openPaymentsFixture, statusesOf, type Answer, type PaymentsFixture } from './payments-fixture.ts'

let fixture: PaymentsFixture
let site: Awaited<ReturnType<PaymentsFixture['readySite']>>
beforeAll(async () => {
  fixture = await openPaymentsFixture()
  site = await fixture.readySite()
})
afterEach(() => fixture.onWebhook(fixture.pass))
afterAll(() => fixture[Symbol.asyncDispose]())

const typesOf = async (recordId: string) => (await fixture.eventsOf(recordId)).map((event) => event.type)

/** Plays actions on a payment's checkout, and returns their webhooks without delivering them. */
async function keptBack(payment: Answer, actions: string[], count: number): Promise<SandboxWebhook[]> {
  const kept: SandboxWebhook[] = []
  fixture.onWebhook(async (webhook) => {
    if (webhook.body.includes(payment.body.RecordId)) kept.push(webhook)
    return 200
  })
  for (const action of actions) await fixture.control(`checkouts/${payment.body.PaymentId}/${action}`)
  await eventually(() => expect(kept.length).toBeGreaterThanOrEqual(count))
  return kept
}

/** Returns a webhook signed like the sandbox's, about an object that the sandbox does not have. */
const crafted = (type: string, object: object, more: object = {}, at = Date.now()): SandboxWebhook =>
  craftWebhook(fixture.credentials.sandboxWebhookSecret, { for: 'payments', type, object, more, at })

/** Waits for the note about an event and returns it. */
async function noteOf(webhook: SandboxWebhook): Promise<string> {
  return eventually(async () => {
    const result = await fixture.pool.query('select note from provider_events where event_id = $1', [
      eventIdOf(webhook),
    ])
    expect(result.rows[0]?.note).toEqual(expect.any(String))
    return result.rows[0].note
  })
}

test('Webhooks in any order, repeated, lead to one outcome', async () => {
  const created = await fixture.create(site)
  const webhooks = await keptBack(created, ['decline', 'pay'], 3)
  for (const webhook of [...webhooks.toReversed(), ...webhooks, ...webhooks.toReversed()]) await fixture.pass(webhook)
  await eventually(async () => {
    const got = await fixture.get(site, created.body.RecordId)
    expect(statusesOf(got).at(-1)).toBe('Completed')
  })
  for (const webhook of webhooks) expect(['applied', 'known']).toContain(await noteOf(webhook))
  expect(await typesOf(created.body.RecordId)).toEqual(['payment.created', 'payment.succeeded', 'payment.settled'])
  const queued = await fixture.pool.query('select 1 from outbox where aggregate_id = any($1)', [
    webhooks.map((webhook) => `Sandbox:${eventIdOf(webhook)}`),
  ])
  expect(queued.rowCount).toBe(webhooks.length)
})

test('Simultaneous events of one payment need only one question to the provider', async () => {
  const notes: string[] = []
  for (let round = 0; round < 5; round++) {
    const created = await fixture.create(site)
    const webhooks = await keptBack(created, ['pay'], 2)
    await Promise.all(webhooks.map((webhook) => fixture.pass(webhook)))
    notes.push(...(await Promise.all(webhooks.map(noteOf))))
    expect(statusesOf(await fixture.get(site, created.body.RecordId)).at(-1)).toBe('Completed')
    expect(await typesOf(created.body.RecordId)).toEqual(['payment.created', 'payment.succeeded', 'payment.settled'])
  }
  // In some rounds each event may need a question of its own, but not in all of them.
  expect(notes).toContain('known')
})

test('A late webhook changes nothing', async () => {
  const created = await fixture.create(site)
  const late = await keptBack(created, ['decline'], 1)
  fixture.onWebhook(fixture.pass)
  await fixture.control(`checkouts/${created.body.PaymentId}/pay`)
  await eventually(async () => expect(await typesOf(created.body.RecordId)).toContain('payment.succeeded'))
  const before = await fixture.get(site, created.body.RecordId)
  for (const webhook of late) {
    await fixture.pass(webhook)
    expect(await noteOf(webhook)).toBe('applied')
  }
  expect(await fixture.get(site, created.body.RecordId)).toMatchObject({ body: before.body })
})

test('A forged webhook is refused: another secret, a changed body, a time too far in the past or future', async () => {
  const good = crafted('checkout.session.completed', { id: 'cs_x', object: 'checkout.session' })
  const minutes = (count: number) => Date.now() + count * 60_000
  const forged: SandboxWebhook[] = [
    { ...good, signature: good.signature.replace(/v1=.{8}/, 'v1=00000000') },
    { ...good, body: Buffer.from(good.body.toString('utf8').replace('cs_x', 'cs_y')) },
    crafted('checkout.session.completed', { id: 'cs_x' }, {}, minutes(-6)),
    crafted('checkout.session.completed', { id: 'cs_x' }, {}, minutes(6)),
  ]
  for (const webhook of forged) {
    await expect(fixture.pass(webhook)).rejects.toMatchObject({ code: 'provider_signature_invalid', status: 400 })
  }
  expect(await fixture.pass(good)).toBe(200)
})

test('Webhooks of unknown objects, of unknown types and of the other mode are noted and not retried', async () => {
  const created = await fixture.create(site)
  const session = { id: created.body.PaymentId, object: 'checkout.session' }
  const account = { account: site.externalAccountId }
  const unknown = crafted('checkout.session.completed', { id: 'cs_nobody', object: 'checkout.session' }, account)
  const strange = crafted('checkout.session.sneezed', session, account)
  const live = crafted('checkout.session.completed', session, { ...account, livemode: true })
  for (const webhook of [unknown, strange, live]) expect(await fixture.pass(webhook)).toBe(200)
  expect(await noteOf(unknown)).toBe('of no payment of ours')
  expect(await noteOf(strange)).toBe('applied')
  expect(await noteOf(live)).toBe('of the other mode')
  expect(statusesOf(await fixture.get(site, created.body.RecordId))).toEqual(['Created', 'Pending'])
})

test('A webhook of another account that names our record in its metadata changes nothing', async () => {
  const created = await fixture.create(site)
  const object = { id: 'pi_theirs', object: 'payment_intent', metadata: { recordId: created.body.RecordId } }
  const foreign = crafted('payment_intent.succeeded', object, { account: 'acct_foreign' })
  await fixture.pass(foreign)
  expect(await noteOf(foreign)).toBe('of no payment of ours')
})

test('A webhook that arrives while the provider is away makes the payment due, and the check applies it', async () => {
  const created = await fixture.create(site)
  const recordId = created.body.RecordId
  const webhooks = await keptBack(created, ['pay'], 1)
  await fixture.network.close()
  for (const webhook of webhooks) await fixture.pass(webhook)
  for (const webhook of webhooks) expect(await noteOf(webhook)).toBe('the payment is due for a check')
  await fixture.network.open()
  const due = await fixture.pool.query(
    "select next_check_at <= now() + interval '16 seconds' as soon from payments where id = $1",
    [recordId],
  )
  expect(due.rows).toEqual([{ soon: true }])
  await eventually(
    async () => {
      await fixture.makeDue(recordId)
      expect(await typesOf(recordId)).toEqual(['payment.created', 'payment.succeeded', 'payment.settled'])
    },
    { within: 20_000, every: 1_000 },
  )
})

test('A webhook that overtakes the save of a create completes the payment, and the create still answers 201', async () => {
  fixture.network.inject((request) =>
    request.method === 'POST' && request.path === '/v1/checkout/sessions'
      ? {
          after: async () => {
            const made = await fixture.pool.query<{ id: string }>(
              `select id from payments where status = 'Created' and site_slug = $1`,
              [site.slug],
            )
            const recordId = made.rows[0]?.id ?? ''
            const [paymentId] = await fixture.checkoutsOf(recordId)
            await fixture.control(`checkouts/${paymentId}/pay`)
            await eventually(async () => expect(await typesOf(recordId)).toContain('payment.succeeded'))
          },
        }
      : 'none',
  )
  const created = await fixture.create(site)
  fixture.network.inject(undefined)
  expect(created.status).toBe(201)
  expect(statusesOf(created)).toEqual(['Created', 'Completed'])
  expect(created.body).not.toHaveProperty('CheckoutUrl')
  expect(await typesOf(created.body.RecordId)).toEqual(['payment.created', 'payment.succeeded', 'payment.settled'])
})

test('The open payments of a deleted site are cancelled, and its paid ones stay as they are', async () => {
  const mine = await fixture.readySite()
  const [open, declined, paid, processing] = [
    await fixture.create(mine),
    await fixture.create(mine),
    await fixture.create(mine),
    await fixture.create(mine),
  ]
  await fixture.control(`checkouts/${declined.body.PaymentId}/decline`)
  await fixture.control(`checkouts/${paid.body.PaymentId}/pay`)
  await fixture.control(`checkouts/${processing.body.PaymentId}/delay`)
  const last = async (payment: Answer) => statusesOf(await fixture.get(mine, payment.body.RecordId)).at(-1)
  await eventually(async () => {
    expect([await last(declined), await last(paid), await last(processing)]).toEqual([
      'Declined',
      'Completed',
      'Processing',
    ])
  })
  await fixture.deleteSite(mine)
  await eventually(async () => expect([await last(open), await last(declined)]).toEqual(['Cancelled', 'Cancelled']))
  for (const payment of [open, declined]) {
    const events = await fixture.eventsOf(payment.body.RecordId)
    expect(events.at(-1)).toMatchObject({ type: 'payment.cancelled', data: { cancellationReason: 'site_deleted' } })
  }
  expect([await last(paid), await last(processing)]).toEqual(['Completed', 'Processing'])
  expect(await fixture.create(mine)).toMatchObject({ status: 404, body: { code: 'site_not_found' } })
})
