import { setTimeout as wait } from 'node:timers/promises'
import { ServerErrorProblem } from '#client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '@frontdesk/testing/eventually'
import { openDatabase, type Database } from './locked-rows.ts'
import { openPractice, paymentBody, type Practice } from './system/practice.ts'
import { startSystem, type StartedSystem } from './system/start-system.ts'

let system: StartedSystem
let practice: Practice

beforeAll(async () => {
  system = await startSystem({ env: { 'webhook-delivery': { DELIVERY_RETRY_SCHEDULE: '500ms,1s,2s,4s' } } })
  practice = await openPractice(system)
})
afterAll(async () => {
  await practice?.[Symbol.asyncDispose]()
  await system?.[Symbol.asyncDispose]()
})

/** The gateway repeats a keyed request. If the service is back soon enough, the lease of the killed try answers it. */
function expectUnanswered(fault: unknown): void {
  if (!(fault instanceof ServerErrorProblem)) expect(fault).toMatchObject({ code: 'idempotency_key_in_use' })
}

test('After payments is killed right after a checkout was paid, the event arrives under one webhook id', async () => {
  for (const pause of [0, 20, 60]) {
    const { recordId, paymentId } = await practice.createPayment()
    await system.provider.atCheckout(paymentId, 'pay')
    await wait(pause)
    system.devStack.kill('payments', 'SIGKILL')
    expect(await practice.outcomeOf(recordId)).toBe('payment.succeeded')
  }
  const ids = new Map<string, Set<string>>()
  for (const { webhookId, event } of practice.subscriber.deliveries) {
    const { subject = '' } = event
    ids.set(subject, (ids.get(subject) ?? new Set()).add(webhookId))
  }
  for (const [subject, webhookIds] of ids) expect([subject, webhookIds.size]).toEqual([subject, 1])
})

test('After registry is killed between effect and reply, the same Idempotency-Key gets the one site that was made', async () => {
  const once = system.client('demo', { attempts: 1 })
  // An earlier test may have left registry starting or a circuit open; this client retries.
  const owner = await system.frontdesk.sites.create({ body: { Name: 'Owner' } })
  const slug = owner.Identity.OwningOrganisationSlug
  const body = { Name: 'Killed in between', OwningOrganisationSlug: slug }
  const create = () => once.sites.create({ idempotencyKey: 'killed registry', body })
  await using database = await openDatabase(system.devStack.dev.services['registry']?.databaseUrl ?? '')
  const unlock = await database.lock('select from organisations where slug = $1 for update', [slug])
  const first = create().then(
    () => 'answered',
    (error: unknown) => error,
  )
  const unlockKey = await Promise.race([
    database.lock("select from idempotency_keys where key = 'killed registry' for update"),
    tooEarly(first),
  ])
  await unlock()
  await database.waitsFor('update idempotency_keys')
  const made = await database.rows<{ slug: string }>("select slug from sites where name = 'Killed in between'")
  expect(made).toHaveLength(1)
  await killWithSessions('registry', database)
  await unlockKey()
  expectUnanswered(await first)

  await eventually(() => expect(create()).rejects.toMatchObject({ code: 'idempotency_key_in_use' }), {
    within: 30_000,
    every: 100,
  })
  await expireLease(database, 'killed registry')
  const again = await create()
  expect(again.Identity.SiteSlug).toBe(made[0]?.slug)
  expect(await create()).toEqual(again)
  const { Items } = await once.sites.list({ query: { OwningOrganisations: [slug] } })
  expect(Items.map(({ Name }) => Name).toSorted()).toEqual(['Killed in between', 'Owner'])
  expect(await once.sites.getIdentity({ SiteIdentifier: again.Identity.SiteSlug })).toEqual(again)
})

test("After payments is killed between the provider's answer and the reply, the same Idempotency-Key gets the one payment and checkout", async () => {
  const once = system.client('demo', { attempts: 1 })
  const body = paymentBody({ Reference: 'KILLED' })
  const create = () => once.payments.create({ SiteSlug: practice.slug, idempotencyKey: 'killed payments', body })
  await practice.createPayment()
  const { payments, 'sandbox-provider': sandbox } = system.devStack.dev.services
  await using database = await openDatabase(payments?.databaseUrl ?? '')
  await using provider = await openDatabase(sandbox?.databaseUrl ?? '')
  const unlockProvider = await provider.lock('lock table checkout_sessions in share mode')
  const first = create().then(
    () => 'answered',
    (error: unknown) => error,
  )
  const unlock = await Promise.race([
    database.lock("select from payments where reference = 'KILLED' for update"),
    tooEarly(first),
  ])
  await unlockProvider()
  // One statement stores the provider's answer and the reply; Postgres shows its first 1024 bytes.
  await database.waitsFor('update payments set')
  const [stored] = await database.rows<{ id: string; status: string }>(
    "select id, status from payments where reference = 'KILLED'",
  )
  expect(stored?.status).toBe('Created')
  expect(await system.provider.ledgerOf(stored?.id ?? '')).toHaveLength(1)
  await killWithSessions('payments', database)
  await unlock()
  expectUnanswered(await first)

  await eventually(() => expect(create()).rejects.toMatchObject({ code: 'idempotency_key_in_use' }), {
    within: 30_000,
    every: 100,
  })
  await expireLease(database, 'killed payments')
  const again = await create()
  expect(again.RecordId).toBe(stored?.id)
  expect(await create()).toEqual(again)
  expect(await system.provider.ledgerOf(again.RecordId)).toMatchObject([{ paymentId: again.PaymentId }])
  const { Items } = await once.payments.list({ SiteSlug: practice.slug, query: { Reference: 'KILLED' } })
  expect(Items.map((payment) => payment.RecordId)).toEqual([again.RecordId])
})

/** Throws as soon as a request is answered that must not be. */
async function tooEarly(answer: Promise<unknown>): Promise<never> {
  throw new Error('the request was answered before the row could be locked', { cause: await answer })
}

/** Kills a service and its database sessions. */
async function killWithSessions(service: string, database: Database): Promise<void> {
  system.devStack.kill(service, 'SIGKILL')
  await database.endSessions()
}

/** Lets the lease on the claim of a dead process expire. */
async function expireLease(database: Database, key: string): Promise<void> {
  await database.rows("update idempotency_keys set lease_until = now() - interval '1 second' where key = $1", [key])
}

test('After webhook-delivery is killed while it delivers, nothing is lost, and a repeated attempt has the same webhook id', async () => {
  practice.subscriber.reply(() => ({ status: 204, after: 150 }))
  const payments = await Promise.all(Array.from({ length: 10 }, () => practice.createPayment()))
  for (const { paymentId } of payments) await system.provider.atCheckout(paymentId, 'pay')
  await eventually(
    () => {
      const begun = payments.filter(({ recordId }) => practice.subscriber.deliveriesOf(recordId).length > 0)
      if (begun.length === 0) throw new Error('no delivery has begun')
    },
    { within: 20_000, every: 5 },
  )
  system.devStack.kill('webhook-delivery', 'SIGKILL')
  for (const { recordId } of payments) expect(await practice.outcomeOf(recordId, 100_000)).toBe('payment.succeeded')
  for (const { recordId } of payments) {
    expect(new Set(practice.subscriber.deliveriesOf(recordId).map(({ webhookId }) => webhookId)).size).toBe(1)
  }
  practice.subscriber.reply(() => ({ status: 204 }))
}, 150_000)

test('A failing endpoint gets the same event again on the retry schedule', async () => {
  let failures = 2
  practice.subscriber.reply(() => ({ status: failures-- > 0 ? 500 : 204 }))
  const { recordId, paymentId } = await practice.createPayment()
  await system.provider.atCheckout(paymentId, 'pay')
  await eventually(() => expect(practice.subscriber.deliveriesOf(recordId)).toHaveLength(3), { within: 15_000 })
  expect(new Set(practice.subscriber.deliveriesOf(recordId).map(({ webhookId }) => webhookId)).size).toBe(1)
  practice.subscriber.reply(() => ({ status: 204 }))
})

test('After all services are killed at once, they restart by themselves and go on', async () => {
  const { recordId, paymentId } = await practice.createPayment()
  for (const service of Object.keys(system.devStack.dev.services)) system.devStack.kill(service, 'SIGKILL')
  await eventually(() => system.provider.atCheckout(paymentId, 'pay'), { within: 30_000, every: 200 })
  expect(await practice.outcomeOf(recordId, 60_000)).toBe('payment.succeeded')
})
