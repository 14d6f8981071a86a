import { rolesOf } from '@frontdesk/database/roles'
import { composeEvent, eventSiteOf, toNatsHeaders } from '@frontdesk/events'
import { eventually, openReceiver } from '@frontdesk/testing'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deliveriesOf, openDeliveryFixture, type DeliveryFixture } from './delivery-fixture.ts'

let fixture: DeliveryFixture
beforeEach(async () => {
  fixture = await openDeliveryFixture({ DELIVERY_LEASE: '1500ms' })
})
afterEach(() => fixture[Symbol.asyncDispose]())

/** Runs statements on the server of the fixture's database, beside it. */
async function onServer(statements: (database: string) => string[]): Promise<void> {
  const { rows } = await fixture.pool.query<{ name: string }>('select current_database() as name')
  const url = new URL(fixture.administratorUrl)
  url.pathname = '/postgres'
  const client = new pg.Client(url.toString())
  await client.connect()
  try {
    for (const statement of statements(rows[0]?.name ?? '')) await client.query(statement)
  } finally {
    await client.end()
  }
}

const cut = (database: string) =>
  `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = '${database}' and application_name like 'webhook-delivery%'`
const setReadOnly = () =>
  onServer((name) => [`alter database ${name} set default_transaction_read_only = on`, cut(name)])
const setWritable = () => onServer((name) => [`alter database ${name} reset default_transaction_read_only`, cut(name)])

async function metric(name: string, label = ''): Promise<number> {
  const text = await (await fetch(`${fixture.url()}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(name) && line.includes(label))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}

const idsOf = (requests: readonly { headers: Record<string, unknown> }[]) =>
  requests.map((request) => String(request.headers['webhook-id']))

// READ_ONLY_MS=60000 plays a whole failover; the code from before this test buried every event at the tenth delivery.
const readOnlyMs = Number(process.env['READ_ONLY_MS'] ?? 4_000)

test(
  'while Postgres is read-only events and outcomes wait, and afterwards each event has been posted once',
  { timeout: readOnlyMs + 60_000 },
  async () => {
    await using receiver = await openReceiver()
    const caller = fixture.caller()
    await caller.subscribe(receiver.url)
    // Answers widen the endpoint's window, so that eight requests are under way at a time.
    const before = await Promise.all(Array.from({ length: 20 }, () => fixture.publish(caller.site)))
    await eventually(() => expect(receiver.requests).toHaveLength(before.length), { within: 10_000 })
    receiver.reply(() => ({ status: 204, after: 500 }))
    const first = await Promise.all(Array.from({ length: 8 }, () => fixture.publish(caller.site)))
    await eventually(() => expect(receiver.requests).toHaveLength(before.length + 8))
    // The receiver answers while nothing can be recorded.
    await setReadOnly()
    const later = await Promise.all(Array.from({ length: 20 }, () => fixture.publish(caller.site)))
    await eventually(async () => expect(await metric('delivery_outcomes_unrecorded')).toBeGreaterThanOrEqual(8))
    await eventually(async () => expect(await metric('events_held{', 'webhook-delivery-payments')).toBeGreaterThan(0))
    await new Promise((resolve) => setTimeout(resolve, readOnlyMs))
    expect(receiver.requests).toHaveLength(before.length + 8)
    await setWritable()
    const all = [...before, ...first, ...later].map((event) => event.id).toSorted()
    await eventually(() => expect(new Set(idsOf(receiver.requests))).toEqual(new Set(all)), { within: 20_000 })
    const deliveries = await eventually(
      async () => {
        const found = await deliveriesOf(caller, all.length)
        expect(found.every((delivery) => delivery.State === 'delivered')).toBe(true)
        return found
      },
      { within: 15_000 },
    )
    expect(deliveries.map((delivery) => delivery.Attempts)).toEqual(all.map(() => 1))
    expect(idsOf(receiver.requests).toSorted()).toEqual(all)
    expect(await fixture.deadLetters()).toBe(0)
    expect(await metric('events_held{')).toBe(0)
  },
)

/** Has the events of payments delivered so often that a limit to deliveries, if there were one, would be reached. */
async function wearOut(events: number): Promise<void> {
  const durable = await fixture.js.consumers.get('EVT_PAYMENTS', 'webhook-delivery-payments')
  for (let delivery = 1; delivery <= 12; delivery++) {
    for await (const message of await durable.fetch({ max_messages: events, expires: 1_000 })) message.nak()
  }
}

const { runtime } = rolesOf('webhook-delivery')
test.each([
  [
    'a permission is revoked',
    `revoke insert on delivery.events from ${runtime}`,
    `grant insert on delivery.events to ${runtime}`,
  ],
  [
    'a column is missing',
    'alter table delivery.events rename column rank to other_rank',
    'alter table delivery.events rename column other_rank to rank',
  ],
  [
    'a table is missing',
    'alter table delivery.events rename to other_events',
    'alter table delivery.other_events rename to events',
  ],
])('while %s events are held, and afterwards all are delivered', async (_what, breaks, repairs) => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.stopFirst()
  const events = await Promise.all(Array.from({ length: 10 }, () => fixture.publish(caller.site)))
  await wearOut(10)
  await fixture.pool.query(breaks)
  await fixture.restart()
  await eventually(async () => expect(await metric('events_held{')).toBe(10))
  await fixture.pool.query(repairs)
  await eventually(() => expect(idsOf(receiver.requests).toSorted()).toEqual(events.map(({ id }) => id).toSorted()), {
    within: 15_000,
  })
  expect(await fixture.deadLetters()).toBe(0)
})

test('a forged event is delivered to nobody, dropped and counted, and no replay can bring it back', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  const source = 'https://frontdesk.example/accounts'
  await fixture.publish(caller.site, { attributes: { source } })
  await fixture.publish(caller.site, { attributes: { type: 'payment.failed' } })
  await eventually(async () => expect(await metric('events_forged_total', 'webhook-delivery-payments')).toBe(2))
  const event = await fixture.publish(caller.site)
  await eventually(() => expect(idsOf(receiver.requests)).toEqual([event.id]))
  expect(await fixture.deadLetters()).toBe(0)
})

test('an event whose values Postgres refuses becomes one dead letter, and those of its batch are delivered', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin
      if position('unstorable' in convert_from(new.payload, 'utf8')) > 0 then
        raise exception 'no such value' using errcode = '22003';
      end if;
      return new;
    end $$;
    create trigger refuse before insert on delivery.events for each row execute function refuse()`)
  const events = await Promise.all(
    Array.from({ length: 40 }, (_, place) =>
      fixture.publish(caller.site, place === 17 ? { attributes: { filler: 'unstorable' } } : {}),
    ),
  )
  const [bad] = events.splice(17, 1)
  await eventually(() => expect(idsOf(receiver.requests).toSorted()).toEqual(events.map(({ id }) => id).toSorted()))
  await eventually(async () => expect(await fixture.deadLetters()).toBe(1))
  const { rows } = await fixture.pool.query('select * from dead_letters')
  expect(rows[0]).toMatchObject({
    consumer: 'webhook-delivery-payments',
    message_id: bad?.id,
    reason: 'no such value',
    payload: bad?.payload,
    headers: { 'x-event-type': 'payment.succeeded', 'Nats-Msg-Id': bad?.id },
  })
  expect(await metric('dead_letters_open', 'webhook-delivery-payments')).toBe(1)
})

test('an event with a fault of its own is held, and those of its batch are delivered meanwhile', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.pool.query(
    `alter table delivery.events add constraint no_bug check (position('bug'::bytea in payload) = 0)`,
  )
  const events = await Promise.all(
    Array.from({ length: 40 }, (_, place) =>
      fixture.publish(caller.site, place === 17 ? { attributes: { filler: 'bug' } } : {}),
    ),
  )
  const [bad] = events.splice(17, 1)
  await eventually(() => expect(idsOf(receiver.requests).toSorted()).toEqual(events.map(({ id }) => id).toSorted()))
  await eventually(async () => expect(await metric('events_held{')).toBe(1))
  await fixture.pool.query('alter table delivery.events drop constraint no_bug')
  await eventually(() => expect(idsOf(receiver.requests)).toContain(bad?.id), { within: 10_000 })
  await eventually(async () => expect(await metric('events_held{')).toBe(0))
  expect(await fixture.deadLetters()).toBe(0)
})

test('a second version beside the first is published, and the subscriber gets the first one, whichever comes first', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  const ignored = () => metric('events_consumed_total', 'outcome="ignored"')
  const ignoredBefore = await ignored()
  const event = composeEvent(
    { service: 'payments', publicUrl: 'https://frontdesk.example' },
    {
      type: 'payment.failed',
      aggregate: { type: 'payment', id: uuidv7(), version: 1 },
      data: { failureReason: 'declined', recordId: uuidv7(), paymentProvider: 'Sandbox' },
      time: new Date(),
      site: eventSiteOf(caller.site),
    },
  )
  const v1 = JSON.parse(event.payload.toString()) as { dataschema: string }
  const v2 = JSON.stringify({
    ...v1,
    dataschema: v1.dataschema.replace('v1.json', 'v2.json'),
    data: { failure: { reason: 'declined' } },
  })
  const send = (subject: string, payload: string | Uint8Array, msgID: string, beside?: string) =>
    fixture.js.publish(subject, payload, {
      msgID,
      headers: toNatsHeaders({ ...event.headers, ...(beside === undefined ? {} : { 'x-event-beside': beside }) }),
    })
  const replies = [
    await send(event.subject.replace('.v1.', '.v2.'), v2, uuidv7(), 'v1'),
    await send(event.subject, event.payload, event.id),
    await send(event.subject.replace('.v1.', '.v2.'), v2, uuidv7()),
  ]
  expect(replies.map((reply) => reply.duplicate)).toEqual([false, false, false])
  const after = await fixture.publish(caller.site)
  await eventually(() => expect(idsOf(receiver.requests).toSorted()).toEqual([event.id, after.id].toSorted()))
  expect(receiver.requests.find((request) => request.headers['webhook-id'] === event.id)?.body).toBe(
    event.payload.toString(),
  )
  expect(await ignored()).toBe(ignoredBefore + 2)
  expect(await fixture.deadLetters()).toBe(0)
})

test('events and deliveries wait until the newest migration is applied, and the probe says so', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  await fixture.stopFirst()
  // As the release before would have left it.
  await fixture.pool.query(`
    update _prisma_migrations set finished_at = null
     where migration_name = (select max(migration_name) from _prisma_migrations);
    alter table dead_letters rename to later_dead_letters;
    alter table delivery.events rename column rank to later_rank`)
  await fixture.restart()
  const site = await fixture.publish(caller.site)
  await fixture.js.publish(site.subject, 'nonsense')
  const probe = await fetch(`${fixture.url()}/readyz`)
  expect(probe.status).toBe(503)
  expect(await probe.text()).toMatch(/migration .* is missing/)
  await fixture.pool.query(`
    alter table later_dead_letters rename to dead_letters;
    alter table delivery.events rename column later_rank to rank;
    update _prisma_migrations set finished_at = now() where finished_at is null`)
  await eventually(() => expect(idsOf(receiver.requests)).toEqual([site.id]), { within: 10_000 })
  await eventually(async () => expect(await fixture.deadLetters()).toBe(1))
  await eventually(async () => expect((await fetch(`${fixture.url()}/readyz`)).status).toBe(200))
})
