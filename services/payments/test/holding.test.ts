import { composeEvent, eventSiteOf, openBus, type Bus, type OutgoingEvent } from '@frontdesk/events'
import { eventually } from '@frontdesk/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPaymentsFixture, someSite, statusesOf, type PaymentsFixture } from './payments-fixture.ts'

let fixture: PaymentsFixture
let site: Awaited<ReturnType<PaymentsFixture['readySite']>>
let bus: Bus
beforeAll(async () => {
  fixture = await openPaymentsFixture()
  site = await fixture.readySite()
  bus = openBus({ settings: fixture.nats.settings(), name: 'test', log: pino({ level: 'silent' }) })
})
afterAll(async () => {
  await bus[Symbol.asyncDispose]()
  await fixture[Symbol.asyncDispose]()
})

/** Has waiting events delivered so often that a limit to deliveries, if there were one, would be reached. */
async function wearOut(stream: string, consumer: string, events: number): Promise<void> {
  const durable = await (await bus.jetstream()).consumers.get(stream, consumer)
  for (let delivery = 1; delivery <= 12; delivery++) {
    for await (const message of await durable.fetch({ max_messages: events, expires: 1_000 })) message.nak()
  }
}

interface AccountCopy {
  account_id: string
  external_account_id: string
  created_at: Date
}

interface NewerEnvelope {
  type: string
  data: Record<string, unknown>
}

/** Publishes an event as its service does, after `change` made of it what a newer release might send. */
async function publish(
  service: string,
  event: OutgoingEvent,
  change: (envelope: NewerEnvelope, subject: string) => string | void = () => {},
): Promise<void> {
  const composed = composeEvent({ service, publicUrl: fixture.url('gateway') }, event)
  const envelope = JSON.parse(composed.payload.toString()) as NewerEnvelope
  const subject = change(envelope, composed.subject) ?? composed.subject
  await (await bus.jetstream()).publish(subject, JSON.stringify(envelope), { msgID: composed.id })
}

function siteEvent(of: ReturnType<typeof someSite>, type: 'site.updated' | 'site.deleted'): OutgoingEvent {
  return {
    type,
    aggregate: { type: 'site', id: of.slug, version: 2 },
    data: {
      version: 2,
      siteSlug: of.slug,
      name: of.name,
      practiceManagementSoftware: of.practiceManagementSystem,
      pmsSpecificSiteId: of.pmsSpecificId,
      owningOrganisationSlug: of.owningOrganisation,
      billingOrganisationSlug: of.billingOrganisation,
      siteStatus: 'Closed',
    },
    time: new Date(),
    site: eventSiteOf(of),
  }
}

async function metric(name: string, ...labels: string[]): Promise<number> {
  const text = await (await fetch(`${fixture.url('payments')}/metrics`)).text()
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith(name) && labels.every((label) => line.includes(label)))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}

const isDeleted = async (slug: string) =>
  (await fixture.pool.query('select 1 from deleted_sites where slug = $1', [slug])).rowCount === 1
const deadLetters = async () => (await fixture.pool.query('select * from dead_letters')).rows

test('the deletion of a site survives a long failure, and its open payments are cancelled afterwards', async () => {
  const ending = await fixture.readySite()
  const payment = await fixture.create(ending)
  await fixture.stop()
  await fixture.deleteSite(ending)
  await wearOut('EVT_REGISTRY', 'payments-sites', 1)
  await fixture.pool.query('alter table deleted_sites rename to lost_sites')
  await fixture.start()
  await eventually(async () => expect(await metric('events_held{', 'payments-sites')).toBe(1))
  expect(await deadLetters()).toEqual([])
  await fixture.pool.query('alter table lost_sites rename to deleted_sites')
  await eventually(
    async () => expect(statusesOf(await fixture.get(ending, payment.body.RecordId)).at(-1)).toBe('Cancelled'),
    { within: 15_000 },
  )
  expect(await metric('events_held{', 'payments-sites')).toBe(0)
})

test('an event of an unknown type, and an unknown status of a site, stop nothing and set nothing aside', async () => {
  const ending = someSite()
  const before = await metric('events_consumed_total', 'payments-sites', 'ignored')
  await publish('registry', siteEvent(ending, 'site.updated'), (envelope, subject) => {
    envelope.type = 'site.merged'
    return subject.replace('site.updated', 'site.merged')
  })
  await publish('registry', siteEvent(ending, 'site.deleted'), (envelope) => {
    Object.assign(envelope.data, { siteStatus: 'Merged', mergedInto: 'sOther1' })
  })
  await eventually(async () => expect(await isDeleted(ending.slug)).toBe(true))
  expect(await metric('events_consumed_total', 'payments-sites', 'ignored')).toBe(before + 1)
  expect(await deadLetters()).toEqual([])
})

test('an event that does not say what its subject says is dropped and counted, and no replay can bring it back', async () => {
  const victim = someSite()
  const forged = siteEvent(victim, 'site.deleted')
  await publish('registry', forged, (_, subject) => subject.replace('site.deleted', 'site.updated'))
  await publish('accounts', forged, (_, subject) => subject.replace('.accounts.', '.registry.'))
  await eventually(async () => expect(await metric('events_forged_total', 'payments-sites')).toBe(2))
  const { num_pending: waiting, num_ack_pending: unsettled } = await (
    await bus.manager()
  ).consumers.info('EVT_REGISTRY', 'payments-sites')
  expect([waiting, unsettled]).toEqual([0, 0])
  expect(await deadLetters()).toEqual([])
  expect(await isDeleted(victim.slug)).toBe(false)
})

test('events wait until the newest migration is applied, also when they came often before', async () => {
  const ending = someSite()
  await fixture.stop()
  await fixture.deleteSite(ending)
  await wearOut('EVT_REGISTRY', 'payments-sites', 1)
  await fixture.pool.query(`
    update _prisma_migrations set finished_at = null
     where migration_name = (select max(migration_name) from _prisma_migrations);
    alter table dead_letters rename to later_dead_letters;
    alter table deleted_sites rename to later_deleted_sites`)
  await fixture.start()
  const probe = await fetch(`${fixture.url('payments')}/readyz`)
  expect([probe.status, await probe.text()]).toEqual([503, expect.stringMatching(/migration .* is missing/)])
  const durable = await (await bus.manager()).consumers.info('EVT_REGISTRY', 'payments-sites')
  expect(durable.num_waiting).toBe(0)
  await fixture.pool.query(`
    alter table later_dead_letters rename to dead_letters;
    alter table later_deleted_sites rename to deleted_sites;
    update _prisma_migrations set finished_at = now() where finished_at is null`)
  await eventually(async () => expect(await isDeleted(ending.slug)).toBe(true), { within: 10_000 })
  expect(await deadLetters()).toEqual([])
  await eventually(async () => expect((await fetch(`${fixture.url('payments')}/readyz`)).status).toBe(200))
})

test('an account in a status that payments does not know takes no payments, and does again once it is active', async () => {
  const { rows } = await fixture.pool.query<AccountCopy>('select * from account_copies where site_slug = $1', [
    site.slug,
  ])
  const [copy] = rows
  if (copy === undefined) throw new Error('there is no copy')
  const event = (version: number): OutgoingEvent => ({
    type: 'account.updated',
    aggregate: { type: 'account', id: copy.account_id, version },
    data: {
      version,
      accountId: copy.account_id,
      siteSlug: site.slug,
      paymentProvider: 'Sandbox',
      status: 'Active',
      externalAccountId: copy.external_account_id,
      createdAt: copy.created_at.toISOString(),
    },
    time: new Date(),
    site: eventSiteOf(site),
  })
  const isCopied = (version: number) =>
    eventually(async () => {
      const found = await fixture.pool.query('select version from account_copies where account_id = $1', [
        copy.account_id,
      ])
      expect(found.rows).toEqual([{ version }])
    })
  await publish('accounts', event(101), (envelope) => void (envelope.data['status'] = 'UnderReview'))
  await isCopied(101)
  // Nobody else can tell whether the account may charge.
  fixture.accounts.kill('SIGKILL')
  await fixture.accounts.exited
  expect((await fixture.create(site)).status).toBe(503)
  await publish('accounts', event(102), (envelope) => void (envelope.data['status'] = 'Active'))
  await isCopied(102)
  expect((await fixture.create(site)).status).toBe(201)
  expect(await deadLetters()).toEqual([])
})
