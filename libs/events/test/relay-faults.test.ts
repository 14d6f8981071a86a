import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { streams } from '@frontdesk/contracts'
import { openPool } from '@frontdesk/database'
import { eventually } from '@frontdesk/testing'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { provisionStreams, replayOutbox, retrySetAsideEvents, setAsideEvents } from '../src/index.ts'
import { relaySettings } from '../src/relay.ts'
import { createRoutes } from '../src/relay-routes.ts'
import { markPublished, pendingEvents, pendingStatement, pendingValues } from '../src/relay-store.ts'
import { newId, openEventsFixture, outcome, type EventsFixture } from './events-fixture.ts'

/** Commits an event whose bytes and subject are given. Returns its id. */
async function commitRaw(
  { pool }: EventsFixture,
  subject: string,
  { payload = Buffer.from('{}'), aggregateId = newId(), version = 1 } = {},
): Promise<string> {
  const id = newId()
  await pool.query(
    `insert into outbox (id, aggregate_type, aggregate_id, aggregate_version, visibility, subject, headers, payload)
     values ($1, 'payment', $2, $3, 0, $4, '{}', $5)`,
    [id, aggregateId, version, subject, payload],
  )
  return id
}

async function setMaxBytes(fixture: EventsFixture, bytes: number): Promise<void> {
  await (await fixture.bus.manager()).streams.update('EVT_PAYMENTS', { max_bytes: bytes })
}

function collectingLog() {
  const lines: { level: number; msg: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log, warnings: () => lines.filter((line) => line.level >= 40).map((line) => line.msg) }
}

async function metric(metrics: { getSingleMetricAsString(name: string): Promise<string> }, name: string) {
  const text = await metrics.getSingleMetricAsString(name)
  return Number(/^[^#].* (\S+)$/m.exec(text)?.[1] ?? Number.NaN)
}

test('while one stream is full, events of another are published; the full one is tried rarely and logged once', async () => {
  await using fixture = await openEventsFixture()
  await setMaxBytes(fixture, 3_000)
  const { log, warnings } = collectingLog()
  const relay = fixture.startReplica({ log })
  const ids = Array.from({ length: 1_200 }, newId)
  await fixture.commit(
    ids.map((id) => outcome(id, 1)),
    relay,
  )
  await eventually(() => expect(warnings()).toContain('publishing failed; trying again'))
  const work = await commitRaw(fixture, 'work.payments.provider.event.received.v1.-')
  relay.wake()
  const isPublished = async () => {
    const { rows } = await fixture.pool.query('select published_at from outbox where id = $1', [work])
    expect(rows[0].published_at).not.toBeNull()
  }
  await eventually(isPublished, { within: 3_000 })
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  expect(warnings()).toHaveLength(1)
  // The first batch fails as a whole, then one event is tried at a time.
  expect(await metric(relay.metrics, 'outbox_publish_failures_total')).toBeLessThan(510)

  await setMaxBytes(fixture, 100_000_000)
  await eventually(async () => expect(await fixture.waiting()).toBe(0), { within: 10_000 })
  expect(new Set(await fixture.published())).toEqual(new Set(ids.map((id) => `${id}:payment.succeeded`)))
})

test('events wait while their stream is missing, and are published once it is there', async () => {
  await using fixture = await openEventsFixture()
  await (await fixture.bus.manager()).streams.delete('EVT_PAYMENTS')
  const id = newId()
  await fixture.commit([outcome(id, 1)])
  const relay = fixture.startReplica()
  await eventually(async () => expect(await metric(relay.metrics, 'outbox_waiting')).toBe(1))
  await eventually(async () => {
    const { rows } = await fixture.pool.query('select last_error from outbox')
    expect(rows[0].last_error).toContain('no stream takes this subject')
  })
  await provisionStreams(await fixture.bus.connection(), streams, [])
  await eventually(async () => expect(await fixture.published()).toEqual([`${id}:payment.succeeded`]))
  // A replica that does not hold the leader lock reports no backlog.
  await relay.stop()
  expect(await metric(relay.metrics, 'outbox_waiting')).toBe(0)
})

test('an event that the server can never take is set aside, and the later ones of its payment are published', async () => {
  await using fixture = await openEventsFixture()
  const payment = newId()
  const large = await commitRaw(fixture, 'evt.int.payments.payment.created.v1.sAbc123', {
    payload: Buffer.alloc(200_000),
    aggregateId: payment,
  })
  const badSubject = await commitRaw(fixture, 'evt.int.payments.with space')
  const relay = fixture.startReplica()
  await fixture.commit([outcome(payment, 2)], relay)
  await eventually(async () => expect(await fixture.published()).toEqual([`${payment}:payment.succeeded`]))
  await eventually(async () => {
    const aside = await setAsideEvents(fixture.pool)
    expect(aside.map(({ id, reason }) => [id, reason])).toEqual([
      [large, expect.stringContaining('message size exceeds maximum')],
      [badSubject, expect.stringContaining('subject')],
    ])
  })
  expect(await metric(relay.metrics, 'outbox_refused_total')).toBe(2)
  expect(await retrySetAsideEvents(fixture.pool)).toBe(2)
  expect(await setAsideEvents(fixture.pool)).toEqual([])
})

test('a poll does not visit the index entries of 50,000 published events while a long transaction is open', async () => {
  await using fixture = await openEventsFixture()
  await using _ = { [Symbol.asyncDispose]: () => relayPool.end() }
  const relayPool = openPool({ url: fixture.databaseUrl, name: 'poll', size: 1, settings: relaySettings })
  await fixture.pool.query(
    `insert into outbox (id, aggregate_type, aggregate_id, aggregate_version, visibility, subject, headers, payload)
     select gen_random_uuid(), 'payment', n::text, 1, 0, 'evt.pub.payments.payment.succeeded.v1.s', '{}', ''
       from generate_series(1, 50000) as n`,
  )
  const reader = await fixture.pool.connect()
  await reader.query('begin isolation level repeatable read')
  await reader.query('select count(*) from outbox')
  await fixture.pool.query(`update outbox set published_at = now(), stream = 'EVT_PAYMENTS', stream_seq = seq`)

  const buffersOf = async (routes: ReturnType<typeof createRoutes>): Promise<number> => {
    const explained = await relayPool.query(
      `explain (analyze, buffers, format json) ${pendingStatement}`,
      pendingValues(routes.looks()),
    )
    const { Plan: plan } = explained.rows[0]['QUERY PLAN'][0]
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }
  const routes = createRoutes('payments')
  expect(await buffersOf(routes)).toBeGreaterThan(500)
  for (let poll = 0; poll < 2; poll++) routes.seen(await pendingEvents(relayPool, routes.looks()))
  expect(await buffersOf(routes)).toBeLessThan(50)
  // What is committed now is found, also below what was published before.
  const id = await commitRaw(fixture, 'evt.int.payments.payment.created.v1.s')
  const found = await pendingEvents(relayPool, routes.looks())
  expect(found.byKey.get('payments')?.map((event) => event.id)).toEqual([id])
  await reader.query('rollback')
  reader.release()
})

test('the relay has its statements planned once, not in every round', async () => {
  await using fixture = await openEventsFixture()
  await using _ = { [Symbol.asyncDispose]: () => relayPool.end() }
  const relayPool = openPool({ url: fixture.databaseUrl, name: 'poll', size: 1, settings: relaySettings })
  const routes = createRoutes('payments')
  for (let round = 0; round < 20; round++) {
    await commitRaw(fixture, 'evt.int.payments.payment.created.v1.s')
    const pending = await pendingEvents(relayPool, routes.looks())
    routes.seen(pending)
    const published = [...pending.byKey.values()].flat().map(({ seq }) => ({ seq, stream: 's', streamSeq: round }))
    expect(published).toHaveLength(1)
    await markPublished(relayPool, published)
  }
  const { rows } = await relayPool.query(
    `select name, custom_plans::int as custom from pg_prepared_statements where name like 'outbox-%' order by name`,
  )
  expect(rows).toEqual([
    { name: 'outbox-pending', custom: 0 },
    { name: 'outbox-published', custom: 0 },
  ])
})

test('an event whose transaction commits late is found, although later ones were published before', async () => {
  await using fixture = await openEventsFixture()
  const relay = fixture.startReplica()
  const slow = await fixture.pool.connect()
  await slow.query('begin')
  await slow.query(
    `insert into outbox (id, aggregate_type, aggregate_id, aggregate_version, visibility, subject, headers, payload)
     values ($1, 'payment', 'late', 1, 0, 'evt.int.payments.payment.created.v1.s', '{}', '{"subject":"late","type":"t"}')`,
    [newId()],
  )
  for (let count = 1; count <= 3; count++) {
    await fixture.commit([outcome(newId(), 1)], relay)
    await eventually(async () => expect(await fixture.published()).toHaveLength(count))
  }
  await slow.query('commit')
  slow.release()
  await eventually(async () => expect(await fixture.published()).toContain('late:t'), { within: 3_000 })
})

test('a stream that was lost and provisioned again gets back the events that it had acknowledged, in order', async () => {
  await using fixture = await openEventsFixture()
  const relay = fixture.startReplica()
  const id = newId()
  const others = Array.from({ length: 8 }, newId)
  await fixture.commit(
    [outcome(id, 1, 'payment.failed'), outcome(id, 2), ...others.map((one) => outcome(one, 1))],
    relay,
  )
  await eventually(async () => expect(await fixture.waiting()).toBe(0))
  await (await fixture.bus.manager()).streams.delete('EVT_PAYMENTS')
  await provisionStreams(await fixture.bus.connection(), streams, [])
  const later = newId()
  await fixture.commit([outcome(later, 1)], relay)
  await eventually(async () => expect(new Set(await fixture.published()).size).toBe(11), { within: 10_000 })
  const published = await fixture.published()
  expect(published.filter((line) => line.startsWith(id))).toEqual([`${id}:payment.failed`, `${id}:payment.succeeded`])
  expect(await metric(relay.metrics, 'outbox_replayed_total')).toBeGreaterThanOrEqual(10)
})

test.skipIf(process.env['FRONTDESK_INFRA'] === 'containers')(
  'a store that is rolled back to an earlier copy gets back what it had acknowledged since',
  async () => {
    await using fixture = await openEventsFixture()
    const relay = fixture.startReplica()
    const store = join(fixture.nats.storeDir ?? '', 'jetstream')
    const ids = Array.from({ length: 9 }, newId)
    const publish = async (some: string[]) => {
      await fixture.commit(
        some.map((id) => outcome(id, 1)),
        relay,
      )
      await eventually(async () => expect(await fixture.waiting()).toBe(0), { within: 10_000 })
    }
    await publish(ids.slice(0, 3))
    await fixture.nats.stop()
    await cp(store, `${store}-copy`, { recursive: true })
    await fixture.nats.start()
    await publish(ids.slice(3))
    await fixture.nats.stop('SIGKILL')
    await rm(store, { recursive: true })
    await cp(`${store}-copy`, store, { recursive: true })
    await fixture.nats.start()
    await eventually(
      async () =>
        expect(new Set(await fixture.published())).toEqual(new Set(ids.map((id) => `${id}:payment.succeeded`))),
      { within: 10_000 },
    )
  },
)

test('a replay of the outbox counts first, then marks what was published since, and a second run changes nothing', async () => {
  await using fixture = await openEventsFixture()
  const relay = fixture.startReplica()
  await fixture.commit([outcome(newId(), 1)], relay)
  await eventually(async () => expect(await fixture.waiting()).toBe(0))
  await relay.stop()
  await fixture.pool.query(`update outbox set published_at = now() - interval '1 hour'`)
  await fixture.pool.query(
    `insert into outbox (id, aggregate_type, aggregate_id, aggregate_version, visibility, subject, headers, payload,
                         published_at, stream, stream_seq)
     select gen_random_uuid(), 'payment', n::text, 1, 0, 'evt.pub.payments.x', '{}', '', now(),
            case when n % 2 = 0 then 'EVT_PAYMENTS' else 'WRK_PAYMENTS' end, n
       from generate_series(1, 12000) as n`,
  )
  const since = new Date(Date.now() - 60_000)
  expect(await replayOutbox(fixture.pool, { since, dryRun: true })).toBe(12_000)
  expect(await fixture.waiting()).toBe(0)
  expect(await replayOutbox(fixture.pool, { since, stream: 'EVT_PAYMENTS' })).toBe(6_000)
  expect(await replayOutbox(fixture.pool, { since })).toBe(6_000)
  expect(await replayOutbox(fixture.pool, { since })).toBe(0)
  expect(await fixture.waiting()).toBe(12_000)
})
