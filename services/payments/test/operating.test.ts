import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { consumers, type SiteAccess } from '@frontdesk/contracts'
import { openBus, provisionEvents, saveDeadLetter } from '@frontdesk/events'
import { runCommand } from '@frontdesk/operate/testing'
import { readKeyRing } from '@frontdesk/service/encryption'
import { eventually } from '@frontdesk/testing'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { program } from '../src/commands.ts'
import { secretContext } from '../src/payment/wire.ts'
import { newKey, openPaymentsFixture, statusesOf, type PaymentsFixture, type SentEvent } from './payments-fixture.ts'

let fixture: PaymentsFixture
let site: SiteAccess & { externalAccountId: string }
beforeAll(async () => {
  fixture = await openPaymentsFixture()
  site = await fixture.readySite()
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

const runWith = (env: Record<string, string>, ...args: string[]) =>
  runCommand(program, args, { ...fixture.env('payments'), ...env })
const run = (...args: string[]) => runWith({}, ...args)

/** Creates a payment, has it paid, and returns its id once it is Completed. */
async function paid(): Promise<string> {
  const created = await fixture.create(site)
  await fixture.control(`checkouts/${created.body.PaymentId}/pay`)
  const recordId = created.body.RecordId
  await eventually(async () => expect(statusesOf(await fixture.get(site, recordId)).at(-1)).toBe('Completed'))
  return recordId
}

/** Removes a stream and makes it again, as after a loss of the server's store. */
async function purge(stream: string): Promise<void> {
  await using bus = openBus({ settings: fixture.nats.settings(), name: 'test', log: pino({ level: 'silent' }) })
  await (await bus.manager()).streams.delete(stream)
  await provisionEvents(fixture.nats.settings('provisioner'))
}

const countOf = async (sql: string, ...values: unknown[]): Promise<number> =>
  Number((await fixture.pool.query(`select count(*) from ${sql}`, values)).rows[0].count)

test('A payment that a restored database does not know is made again from its checkout, with the events that nobody has heard', async () => {
  const recordId = await paid()
  await eventually(async () => expect(await countOf('outbox where published_at is null')).toBe(0))
  const sent = await fixture.eventsOf(recordId)
  const before = await fixture.get(site, recordId)
  await fixture.stop()
  await fixture.pool.query('delete from payments where id = $1', [recordId])
  await fixture.pool.query('delete from outbox where aggregate_id = $1', [recordId])

  const planned = await run('reconcile', 'payments', '--dry-run')
  expect(planned.text).toContain(`payment ${recordId}`)
  expect(planned.text).toContain('to be restored 1')
  expect(await countOf('payments where id = $1', recordId)).toBe(0)

  const done = await run('reconcile', 'payments', '--since', '1h')
  expect(done).toMatchObject({ code: 0, text: expect.stringContaining('restored 1') })
  expect((await run('reconcile', 'payments')).text).not.toContain('restored')
  // The stream has them all.
  expect(await fixture.eventsOf(recordId)).toEqual([])

  // Now the stream is lost as well.
  await purge('EVT_PAYMENTS')
  await fixture.pool.query('delete from payments where id = $1', [recordId])
  expect(await run('reconcile', 'payments')).toMatchObject({ code: 0 })
  const strip = ({ id: _id, time: _time, traceparent: _trace, data, ...rest }: SentEvent) => ({
    ...rest,
    data: { ...data, status: '', version: 0 },
  })
  expect((await fixture.eventsOf(recordId)).map(strip)).toEqual(sent.map(strip))

  await fixture.start()
  const after = await fixture.get(site, recordId)
  expect(after.body).toEqual({ ...before.body, History: expect.any(Array) })
  expect(statusesOf(after)).toEqual(['Created', 'Completed'])
  await eventually(async () => expect(await countOf('outbox where published_at is null')).toBe(0))
})

test('A payment that is open in a restored database, and paid at the provider, is brought forward', async () => {
  const created = await fixture.create(site)
  const recordId = created.body.RecordId
  await fixture.stop()
  await fixture.control(`checkouts/${created.body.PaymentId}/pay`)

  expect((await run('reconcile', 'payments', '--dry-run')).text).toContain(`payment ${recordId} is Pending here`)
  const done = await run('reconcile', 'payments')
  expect(done).toMatchObject({ code: 0, text: expect.stringContaining('brought forward 1') })
  expect((await fixture.eventsOf(recordId)).map(({ type }) => type)).toEqual([
    'payment.created',
    'payment.succeeded',
    'payment.settled',
  ])
  expect((await run('reconcile', 'payments')).text).not.toContain('brought forward')
  await fixture.start()
})

test('A restored database gets its refunds again from the provider, under their own ids, and no event is sent twice', async () => {
  const payment = await fixture.paid(site)
  const { RecordId: recordId, PaymentId } = payment
  await fixture.refund(site, recordId, { Amount: 5_000, Reason: 'goodwill', Reference: 'CN-7' })
  await fixture.control(`checkouts/${PaymentId}/refund?amount=1000`)
  await eventually(async () => expect((await fixture.get(site, recordId)).body.RefundedAmount).toBe(6_000))
  const before = (await fixture.get(site, recordId)).body
  await eventually(async () => expect(await countOf('outbox where published_at is null')).toBe(0))
  await fixture.stop()

  // Back to when it had just been paid.
  await fixture.pool.query('delete from refunds where record_id = $1', [recordId])
  await fixture.pool.query(
    `update payments set status = 'Completed', amount_refunded = 0, history = history - -1 - -1 where id = $1`,
    [recordId],
  )
  await fixture.pool.query(`delete from outbox where aggregate_id = $1`, [recordId])
  expect(await run('reconcile', 'payments')).toMatchObject({ text: expect.stringContaining('brought forward 1') })
  expect(await fixture.eventsOf(recordId)).toEqual([])

  // Now the payment is lost as well.
  await fixture.pool.query('delete from refunds where record_id = $1', [recordId])
  await fixture.pool.query('delete from payments where id = $1', [recordId])
  expect(await run('reconcile', 'payments')).toMatchObject({ text: expect.stringContaining('restored 1') })
  expect(await fixture.eventsOf(recordId)).toEqual([])

  // A refund that fails meanwhile is no longer part of the charge's sum: it is asked about one by one.
  await fixture.control(`checkouts/${PaymentId}/fail-refund`)
  await fixture.control(`checkouts/${PaymentId}/fail-refund`)
  expect(await run('reconcile', 'payments')).toMatchObject({ text: expect.stringContaining('brought forward 1') })
  expect((await fixture.eventsOf(recordId)).map(({ type }) => type)).toEqual(['refund.failed', 'refund.failed'])
  await fixture.start()
  const { body: after } = await fixture.get(site, recordId)
  const failed = { Status: 'Failed', FailureReason: 'expired_or_canceled_card' }
  expect(after.Refunds).toEqual(
    before.Refunds.map((refund) => ({ ...refund, ...failed, CreatedAt: expect.any(String) })),
  )
  expect(after).toMatchObject({ Status: 'Completed', RefundedAmount: 0 })
})

test('A checkout whose metadata does not tell enough, or names another site, is listed and the exit code is 1', async () => {
  const sandbox = fixture.url('sandbox-provider')
  const create = async (metadata: Record<string, string>) => {
    const form = new URLSearchParams({
      mode: 'payment',
      ui_mode: 'hosted_page',
      success_url: 'https://practice.example/paid',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][unit_amount]': '900',
      'line_items[0][price_data][product_data][name]': 'Check-up',
    })
    for (const [name, value] of Object.entries(metadata)) form.set(`metadata[${name}]`, value)
    const reply = await fetch(`${sandbox}/v1/checkout/sessions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_sandbox', 'stripe-account': site.externalAccountId },
      body: form,
    })
    return ((await reply.json()) as { id: string }).id
  }
  const older = await create({ recordId: uuidv7(), siteSlug: site.slug })
  const foreign = await create({
    recordId: uuidv7(),
    siteSlug: 'sOther1',
    organisationSlug: 'oOther1',
    billingOrganisationSlug: 'oOther1',
    product: 'OpenDental',
    pmsSpecificId: 'x',
    feeAmount: '0',
  })
  await create({ theirs: 'not ours' })
  const { code, text } = await run('reconcile', 'payments')
  expect(code).toBe(1)
  expect(text).toContain(`${older} (unpaid, 900 EUR minor units): its metadata does not tell enough`)
  expect(text).toContain(`${foreign} (unpaid, 900 EUR minor units): it names the site sOther1`)
  expect(text).toContain('not repaired 2')
  expect(await countOf('payments where payment_id = any($1)', [older, foreign])).toBe(0)
})

test('outbox replay has events published again under the same ids, and a dry run only counts them', async () => {
  const recordId = await paid()
  const published = `outbox where published_at is not null and aggregate_id = $1`
  await eventually(async () => expect(await countOf(published, recordId)).toBe(3))
  await fixture.stop()
  const planned = await run('outbox', 'replay', '--since', '1h', '--stream', 'EVT_PAYMENTS', '--dry-run')
  expect(planned).toMatchObject({ code: 0, text: expect.stringMatching(/^dry run: \d+ events/) })
  expect(await countOf(published, recordId)).toBe(3)
  expect(await run('outbox', 'replay', '--since', '1h', '--stream', 'EVT_NONE')).toMatchObject({
    code: 0,
    text: expect.stringContaining('0 events'),
  })
  expect(await run('outbox', 'replay', '--since', '1h')).toMatchObject({ code: 0 })
  expect(await countOf(published, recordId)).toBe(0)
  await fixture.start()
  await eventually(async () => expect(await countOf(published, recordId)).toBe(3))
})

async function buryEvent(type: string): Promise<string> {
  const { rows } = await fixture.pool.query<{ payload: Buffer; id: string }>(
    `select id, payload from outbox where headers ->> 'x-event-type' = $1 order by seq desc limit 1`,
    [type],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`no ${type}`)
  return bury(row.id, row.payload)
}

async function bury(messageId: string, payload: Buffer): Promise<string> {
  await saveDeadLetter(fixture.pool, {
    consumer: consumers.paymentsProviderEvents.name,
    stream: 'WRK_PAYMENTS',
    streamSeq: 7,
    messageId,
    subject: 'work.payments.provider.event-received.v1.-',
    headers: { 'x-event-type': 'provider.event.received' },
    payload,
    reason: 'for this test',
    deliveries: 3,
    storedAt: new Date(),
  })
  const found = await fixture.pool.query('select id from dead_letters where message_id = $1', [messageId])
  return String(found.rows[0].id)
}

test('A dead letter is shown, replayed by its own handler and marked; one that fails again keeps its row', async () => {
  const created = await fixture.create(site)
  await fixture.control(`checkouts/${created.body.PaymentId}/pay`)
  await eventually(async () => expect(await countOf(`provider_events where applied_at is not null`)).toBeGreaterThan(0))
  const good = await buryEvent('provider.event.received')
  const bad = await bury('bad', Buffer.from('nonsense'))
  await fixture.stop()
  // As if the event had never been applied.
  await fixture.pool.query('update provider_events set applied_at = null, note = null')

  expect((await run('dead-letters', 'list')).text).toMatch(new RegExp(`${good}.*for this test[^]*2 to be replayed`))
  expect((await run('dead-letters', 'show', good)).text).toContain('"type":"provider.event.received"')
  expect((await run('dead-letters', 'replay', '--all', '--dry-run')).text).toContain('to be replayed 2')
  expect(await countOf('dead_letters where replayed_at is not null')).toBe(0)

  const done = await run('dead-letters', 'replay', '--all')
  expect(done).toMatchObject({ code: 1, text: expect.stringContaining(`${bad} failed: not JSON`) })
  expect(done.text).toContain('replayed 1, failed 1')
  expect(await countOf('provider_events where applied_at is not null')).toBe(1)
  expect(await countOf('dead_letters where id = $1 and replayed_at is not null', good)).toBe(1)
  expect(await countOf('dead_letters where id = $1 and replayed_at is null', bad)).toBe(1)

  expect((await run('dead-letters', 'replay', good)).text).toBe('replayed before 1')
  expect((await run('dead-letters', 'list')).text).toContain('1 to be replayed')
  await fixture.start()
})

/** Writes a key ring file beside the service's own, with a new current key, and the older keys if asked. */
function newKeyRing(name: string, { withOlder }: { withOlder: boolean }): string {
  const file = fixture.env('payments')['ENCRYPTION_KEYS_FILE'] ?? ''
  const { keys } = JSON.parse(readFileSync(file, 'utf8')) as { keys: Record<string, string> }
  const next = Buffer.alloc(32, 2).toString('base64')
  const path = join(dirname(file), `payments-${name}.json`)
  writeFileSync(path, JSON.stringify({ current: 'k2', keys: { k2: next, ...(withOlder ? keys : {}) } }))
  return path
}

test('After a new master key, encrypt again makes the older one unnecessary', async () => {
  const key = newKey()
  const embedded = { UiMode: 'Embedded' } as const
  const created = await fixture.create(site, embedded, key)
  expect(created.body.ClientSecret).toEqual(expect.any(String))
  await fixture.stop()
  const both = { ENCRYPTION_KEYS_FILE: newKeyRing('both', { withOlder: true }) }

  const planned = await runWith(both, 'encrypt', 'again', '--dry-run')
  expect(planned).toMatchObject({ code: 0, text: expect.stringMatching(/older key k1: [1-9]/) })
  const done = await runWith(both, 'encrypt', 'again')
  expect(done).toMatchObject({ code: 0, text: expect.stringContaining('you may remove them') })
  expect(await countOf(`payments where client_secret like 'k1.%'`)).toBe(0)
  expect((await runWith(both, 'encrypt', 'again')).text).toContain('encrypted again 0')

  await fixture.start({ ENCRYPTION_KEYS_FILE: newKeyRing('alone', { withOlder: false }) })
  expect((await fixture.get(site, created.body.RecordId)).body.ClientSecret).toBe(created.body.ClientSecret)
  const replayed = await fixture.create(site, embedded, key)
  expect(replayed.headers.get('idempotency-replayed')).toBe('true')
  expect(replayed.body).toEqual(created.body)
  await fixture.stop()
  await fixture.start()
})

test('encrypt again does not overwrite a value that was written meanwhile, and says what it left', async () => {
  const created = await fixture.create(site, { UiMode: 'Embedded' })
  const ring = readKeyRing(fixture.env('payments')['ENCRYPTION_KEYS_FILE'] ?? '')
  const written = ring.encrypt('written meanwhile', secretContext(created.body.RecordId))
  const writer = await fixture.pool.connect()
  await writer.query('begin')
  await writer.query('update payments set client_secret = $2 where id = $1', [created.body.RecordId, written])
  const running = runWith({ ENCRYPTION_KEYS_FILE: newKeyRing('race', { withOlder: true }) }, 'encrypt', 'again')
  await eventually(async () =>
    expect(
      await countOf(
        `pg_stat_activity where wait_event_type = 'Lock' and query like 'update payments set client_secret%'`,
      ),
    ).toBe(1),
  )
  await writer.query('commit')
  writer.release()
  expect(await running).toMatchObject({
    code: 1,
    text: expect.stringMatching(/changed meanwhile 1[^]*older key k1: 1/),
  })
  expect(await countOf('payments where client_secret = $1', written)).toBe(1)
})

test('consumers rewind makes a durable again at a time, and the running service binds to it', async () => {
  const name = consumers.paymentsAccounts.name
  const copy = async () =>
    (await fixture.pool.query('select status from account_copies where site_slug = $1', [site.slug])).rows
  // As in a restored database: neither the copy of the account nor the inbox row is there.
  await fixture.pool.query('delete from account_copies')
  await fixture.pool.query('delete from inbox')
  expect((await run('consumers', 'list')).text).toMatch(new RegExp(`${name}  EVT_ACCOUNTS: acknowledged to [1-9]`))
  expect((await run('consumers', 'rewind', name, '--to', '1h', '--dry-run')).text).toMatch(/gets [1-9]\d* messages/)
  expect(await copy()).toEqual([])
  expect(await run('consumers', 'rewind', name, '--to', '1h')).toMatchObject({ code: 0 })
  await eventually(async () => expect(await copy()).toEqual([{ status: 'Active' }]), { within: 20_000 })
  // A second time every message is found by its inbox row.
  expect(await run('consumers', 'rewind', name, '--to', '1h')).toMatchObject({ code: 0 })
  expect((await run('consumers', 'rewind', consumers.paymentsProviderEvents.name, '--to', '1h')).code).toBe(2)
  // Where a durable begins cannot be changed, and provisioning does not try to.
  expect(await provisionEvents(fixture.nats.settings('provisioner'), { service: 'payments' })).toEqual([])
})

test.each([
  [[], 'Commands of payments'],
  [['reconcile', 'everything'], 'no command "reconcile everything"'],
  [['reconcile', 'payments', '--since', 'yesterday'], 'neither a time nor a duration'],
  [['reconcile', 'payments', '--until', '1h'], '--until'],
  [['outbox', 'replay'], 'needs --since'],
  [['dead-letters', 'replay'], 'an ID or --all'],
  [['dead-letters', 'show', 'x'], 'no dead letter "x"'],
  [['consumers', 'rewind', 'nobody', '--to', '1h'], 'no consumer "nobody"'],
])('%j is wrong usage, which is told and changes nothing', async (args, words) => {
  const { code, text } = await run(...args)
  expect(code).toBe(2)
  expect(text).toContain(words)
})
