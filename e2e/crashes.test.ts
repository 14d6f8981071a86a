import { setTimeout as wait } from 'node:timers/promises'
import { ServerErrorProblem } from '@frontdesk/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '@frontdesk/testing'
import { openDatabase, type Database } from './held-rows.ts'
import { clientOf, openPractice, outcomeOf, startSystem, type Practice, type System } from './system.ts'

let system: System
let practice: Practice

beforeAll(async () => {
  system = await startSystem({ 'webhook-delivery': { DELIVERY_RETRY_SCHEDULE: '500ms,1s,2s,4s' } })
  practice = await openPractice(system)
})
afterAll(async () => {
  await practice?.[Symbol.asyncDispose]()
  await system?.[Symbol.asyncDispose]()
})

test('payments killed right after the checkout was paid: the event arrives, with one webhook id', async () => {
  for (const pause of [0, 20, 60]) {
    const { recordId, paymentId } = await practice.createPayment()
    await system.control(`checkouts/${paymentId}/pay`)
    await wait(pause)
    system.constellation.kill('payments', 'SIGKILL')
    expect(await outcomeOf(practice, recordId)).toBe('payment.succeeded')
  }
  const ids = new Map<string, Set<string>>()
  for (const { body, headers } of practice.receiver.requests) {
    const { subject } = JSON.parse(body) as { subject: string }
    ids.set(subject, (ids.get(subject) ?? new Set()).add(String(headers['webhook-id'])))
  }
  for (const [subject, webhookIds] of ids) expect([subject, webhookIds.size]).toEqual([subject, 1])
})

test('registry killed between effect and reply: the same Idempotency-Key gets the one site that was made', async () => {
  const once = clientOf(system.constellation, 'demo', 1)
  // What came before may have left it starting, or a circuit open: the patient client waits for that.
  const owner = await system.frontdesk.createSite({ body: { Name: 'Owner' } })
  const slug = owner.Identity.OwningOrganisationSlug
  const body = { Name: 'Killed in between', OwningOrganisationSlug: slug }
  const create = () => once.createSite({ idempotencyKey: 'killed registry', body })
  await using database = await openDatabase(system.constellation.dev.services['registry']?.databaseUrl ?? '')
  const letGo = await database.hold('select from organisations where slug = $1 for update', [slug])
  const first = create().then(
    () => 'answered',
    (error: unknown) => error,
  )
  const letKeyGo = await Promise.race([
    database.hold("select from idempotency_keys where key = 'killed registry' for update"),
    tooEarly(first),
  ])
  await letGo()
  await database.waiting('update idempotency_keys')
  const made = await database.rows<{ slug: string }>("select slug from sites where name = 'Killed in between'")
  expect(made).toHaveLength(1)
  await died('registry', database)
  await letKeyGo()
  expect(await first).toBeInstanceOf(ServerErrorProblem)

  await eventually(() => expect(create()).rejects.toMatchObject({ code: 'idempotency_key_in_use' }), {
    within: 30_000,
    every: 100,
  })
  await leaseRunsOut(database, 'killed registry')
  const again = await create()
  expect(again.Identity.SiteSlug).toBe(made[0]?.slug)
  expect(await create()).toEqual(again)
  const { Items } = await once.listSites({ query: { OwningOrganisations: [slug] } })
  expect(Items.map(({ Name }) => Name).toSorted()).toEqual(['Killed in between', 'Owner'])
  expect(await once.getSiteIdentity({ SiteIdentifier: again.Identity.SiteSlug })).toEqual(again)
})

test('payments killed between the provider and the reply: the same Idempotency-Key gets the one payment and checkout', async () => {
  const once = clientOf(system.constellation, 'demo', 1)
  const body = {
    PaymentProvider: 'Sandbox' as const,
    Currency: 'GBP',
    Reference: 'KILLED',
    LineItems: [{ ProductName: 'Check-up', Price: 4_500 }],
  }
  const create = () => once.createPayment({ SiteSlug: practice.site, idempotencyKey: 'killed payments', body })
  await practice.createPayment()
  const { payments, 'sandbox-provider': sandbox } = system.constellation.dev.services
  await using database = await openDatabase(payments?.databaseUrl ?? '')
  await using provider = await openDatabase(sandbox?.databaseUrl ?? '')
  const letProviderGo = await provider.hold('lock table checkout_sessions in share mode')
  const first = create().then(
    () => 'answered',
    (error: unknown) => error,
  )
  const letGo = await Promise.race([
    database.hold("select from payments where reference = 'KILLED' for update"),
    tooEarly(first),
  ])
  await letProviderGo()
  // The provider's answer and the reply go in one statement, of which Postgres shows the first 1024 bytes.
  await database.waiting('update payments set')
  const [stored] = await database.rows<{ id: string; status: string }>(
    "select id, status from payments where reference = 'KILLED'",
  )
  expect(stored?.status).toBe('Created')
  expect(await checkoutsOf(stored?.id)).toHaveLength(1)
  await died('payments', database)
  await letGo()
  expect(await first).toBeInstanceOf(ServerErrorProblem)

  await eventually(() => expect(create()).rejects.toMatchObject({ code: 'idempotency_key_in_use' }), {
    within: 30_000,
    every: 100,
  })
  await leaseRunsOut(database, 'killed payments')
  const again = await create()
  expect(again.RecordId).toBe(stored?.id)
  expect(await create()).toEqual(again)
  expect(await checkoutsOf(stored?.id)).toEqual([again.PaymentId])
  const { Items } = await once.listPayments({ SiteSlug: practice.site, query: { Reference: 'KILLED' } })
  expect(Items.map((payment) => payment.RecordId)).toEqual([again.RecordId])
})

/** Fails as soon as there is an answer to a request that is not to be answered. */
async function tooEarly(answer: Promise<unknown>): Promise<never> {
  throw new Error('it was answered before anything could be locked', { cause: await answer })
}

/** Ends a service at once, with what it has asked its database for. */
async function died(service: string, database: Database): Promise<void> {
  system.constellation.kill(service, 'SIGKILL')
  await database.endSessions()
}

/** The minute after which the claim of a process that died may be taken over. */
async function leaseRunsOut(database: Database, key: string): Promise<void> {
  await database.rows("update idempotency_keys set lease_until = now() - interval '1 second' where key = $1", [key])
}

/** What the provider's own books say was made for a payment of ours. */
async function checkoutsOf(recordId: string | undefined): Promise<string[]> {
  const { sandbox } = system.constellation.dev
  const checkouts: { paymentId: string; reference: string | null }[] = []
  for (;;) {
    const response = await fetch(`${sandbox}/_control/ledger?after=${checkouts.at(-1)?.paymentId ?? ''}`)
    const page = (await response.json()) as { checkouts: typeof checkouts }
    if (page.checkouts.length === 0) break
    checkouts.push(...page.checkouts)
  }
  return checkouts.filter(({ reference }) => reference === recordId).map(({ paymentId }) => paymentId)
}

test('webhook-delivery killed while it delivers: nothing is lost, and a repeated attempt has the same webhook id', async () => {
  practice.receiver.reply(() => ({ status: 204, after: 150 }))
  const payments = await Promise.all(Array.from({ length: 10 }, () => practice.createPayment()))
  for (const { paymentId } of payments) await system.control(`checkouts/${paymentId}/pay`)
  await eventually(
    () => {
      const underWay = payments.filter(({ recordId }) => practice.deliveriesOf(recordId).length > 0)
      if (underWay.length === 0) throw new Error('nothing is under way')
    },
    { within: 20_000, every: 5 },
  )
  system.constellation.kill('webhook-delivery', 'SIGKILL')
  for (const { recordId } of payments) expect(await outcomeOf(practice, recordId, 100_000)).toBe('payment.succeeded')
  for (const { recordId } of payments) {
    expect(new Set(practice.deliveriesOf(recordId).map(({ webhookId }) => webhookId)).size).toBe(1)
  }
  practice.receiver.reply(() => ({ status: 204 }))
}, 150_000)

test('an endpoint that fails gets the same event again on the schedule', async () => {
  let failures = 2
  practice.receiver.reply(() => ({ status: failures-- > 0 ? 500 : 204 }))
  const { recordId, paymentId } = await practice.createPayment()
  await system.control(`checkouts/${paymentId}/pay`)
  await eventually(() => expect(practice.deliveriesOf(recordId)).toHaveLength(3), { within: 15_000 })
  expect(new Set(practice.deliveriesOf(recordId).map(({ webhookId }) => webhookId)).size).toBe(1)
  practice.receiver.reply(() => ({ status: 204 }))
})

test('every service killed at once comes back by itself and goes on', async () => {
  const { recordId, paymentId } = await practice.createPayment()
  for (const service of Object.keys(system.constellation.dev.services)) system.constellation.kill(service, 'SIGKILL')
  await eventually(() => system.control(`checkouts/${paymentId}/pay`), { within: 30_000, every: 200 })
  expect(await outcomeOf(practice, recordId, 60_000)).toBe('payment.succeeded')
})
