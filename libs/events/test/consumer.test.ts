import { consumers } from '@frontdesk/contracts'
import { transaction } from '@frontdesk/database'
import { eventually } from '@frontdesk/testing'
import { headers, nanos } from '@nats-io/transport-node'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import {
  createEventMetrics,
  parseEvent,
  PermanentError,
  provisionStreams,
  receiveOnce,
  runConsumer,
  UnknownEvent,
  type ConsumerOptions,
} from '../src/index.ts'
import { log, newId, openEventsFixture, outcome, type EventsFixture } from './events-fixture.ts'

// A durable for this test alone, on the payments stream, so that the relay can publish its messages.
const consumer = { ...consumers.deliveryPayments, name: 'test-payments', owner: 'payments', ackWaitMs: 1_000 }

async function consume(
  fixture: EventsFixture,
  handle: ConsumerOptions['handle'],
  options: Partial<ConsumerOptions> = {},
) {
  await provisionStreams(await fixture.bus.connection(), [], [consumer])
  const stop = new AbortController()
  const registry = new Registry()
  const stopped = runConsumer({
    consumer,
    db: fixture.pool,
    bus: fixture.bus,
    log,
    metrics: createEventMetrics(registry),
    signal: stop.signal,
    handle,
    ...options,
  })
  return {
    /** The value of a metric of this consumer. */
    async metric(name: string, labels: Record<string, string> = {}): Promise<number> {
      const found = await registry.getSingleMetric(name)?.get()
      const wanted = Object.entries({ consumer: consumer.name, ...labels })
      const one = found?.values.find((value) => wanted.every(([label, text]) => value.labels[label] === text))
      return one?.value ?? 0
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await stopped
    },
  }
}

async function deadLetters(fixture: EventsFixture) {
  const { rows } = await fixture.pool.query<{
    id: string
    consumer: string
    stream: string
    stream_seq: string
    message_id: string
    subject: string
    headers: Record<string, string>
    payload: Buffer
    reason: string
    deliveries: number
    stored_at: Date
    set_aside_at: Date
    replayed_at: Date | null
  }>('select * from dead_letters order by stream_seq, id')
  return rows
}

/** Waits until the consumer has nothing left: no message waits, none is unacknowledged. */
async function untilSettled(fixture: EventsFixture): Promise<void> {
  const manager = await fixture.bus.manager()
  await eventually(
    async () => {
      const info = await manager.consumers.info('EVT_PAYMENTS', consumer.name)
      expect([info.num_ack_pending, info.num_pending]).toEqual([0, 0])
    },
    { within: 20_000 },
  )
}

const subject = 'evt.pub.payments.payment.succeeded.v1.sAbc123'

test('an event is applied once, however often it is delivered', async () => {
  await using fixture = await openEventsFixture()
  const relay = fixture.startReplica()
  let tries = 0
  const applied: string[] = []
  await using _ = await consume(fixture, async (message) => {
    tries++
    const event = parseEvent(message.data)
    await transaction(fixture.pool, async (tx) => {
      if (await receiveOnce(tx, consumer.name, event)) applied.push(event.id)
    })
    if (tries < 3) throw new Error('the acknowledgement gets lost')
  })
  await fixture.commit([outcome(newId(), 1)], relay)
  await eventually(() => expect(tries).toBe(3), { within: 10_000 })
  expect(applied).toHaveLength(1)
})

test('a message with a permanent error becomes a dead letter at once, and the others are handled', async () => {
  await using fixture = await openEventsFixture()
  const relay = fixture.startReplica()
  const handled: string[] = []
  await using _ = await consume(fixture, async (message) => {
    const event = parseEvent(message.data)
    if (event.type === 'payment.failed') throw new PermanentError('cannot be applied')
    handled.push(event.type)
  })
  await fixture.commit([outcome(newId(), 1, 'payment.failed'), outcome(newId(), 1), outcome(newId(), 1)], relay)
  await eventually(() => expect(handled).toHaveLength(2))
  await eventually(async () => {
    const [row, ...others] = await deadLetters(fixture)
    expect(others).toEqual([])
    expect(row).toMatchObject({ consumer: consumer.name, reason: 'cannot be applied' })
  })
  await untilSettled(fixture)
})

test('values that Postgres can never store become one dead letter with everything that came, and the others are handled', async () => {
  await using fixture = await openEventsFixture()
  const handled: string[] = []
  await using running = await consume(fixture, async (message) => {
    const text = Buffer.from(message.data).toString()
    await fixture.pool.query('select $1::text', [text.replaceAll('<NUL>', '\0')])
    handled.push(text)
  })
  const js = await fixture.bus.jetstream()
  const before = Date.now()
  const sent = headers()
  sent.set('traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01')
  sent.set('x-event-type', 'payment.succeeded')
  await js.publish(subject, 'bad <NUL>', { msgID: 'bad-1', headers: sent })
  await js.publish(subject, 'good', { msgID: 'good-1' })
  await eventually(() => expect(handled).toEqual(['good']))
  await untilSettled(fixture)
  const [row, ...others] = await deadLetters(fixture)
  expect(others).toEqual([])
  expect(row).toMatchObject({
    consumer: consumer.name,
    stream: 'EVT_PAYMENTS',
    stream_seq: 1n,
    message_id: 'bad-1',
    subject,
    payload: Buffer.from('bad <NUL>'),
    deliveries: 1,
    replayed_at: null,
  })
  expect(row?.headers).toMatchObject({
    'Nats-Msg-Id': 'bad-1',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'x-event-type': 'payment.succeeded',
  })
  expect(row?.reason).toMatch(/invalid byte sequence/)
  expect(row?.stored_at.getTime()).toBeGreaterThanOrEqual(before - 1_000)
  expect(row?.set_aside_at.getTime()).toBeGreaterThanOrEqual(row?.stored_at.getTime() ?? Infinity)
  expect(await running.metric('dead_letters_open')).toBe(1)
  expect(await running.metric('events_consumed_total', { outcome: 'dead_letter' })).toBe(1)
  expect(await running.metric('events_consumed_total', { outcome: 'handled' })).toBe(1)
})

test('no message id, header or reason keeps a message from being set aside', async () => {
  await using fixture = await openEventsFixture()
  await using _ = await consume(fixture, async (message) => {
    throw new PermanentError(`\0 \ud800 ${'r'.repeat(5_000)}`, { cause: new Error(message.subject) })
  })
  const js = await fixture.bus.jetstream()
  const strange = headers()
  strange.set('x-strange', 'nul \0 and half \ud800 a pair')
  await js.publish(subject, 'no id')
  await js.publish(subject, 'strange', { headers: strange })
  await js.publish(subject, 'long', { msgID: `long-${'x'.repeat(60_000)}` })
  await js.publish(subject, 'nul', { msgID: 'nul \0' })
  await eventually(async () => expect(await deadLetters(fixture)).toHaveLength(4))
  await untilSettled(fixture)
  const rows = await deadLetters(fixture)
  expect(rows.map((row) => row.payload.toString())).toEqual(['no id', 'strange', 'long', 'nul'])
  expect(rows[0]?.message_id).toBe('EVT_PAYMENTS:1')
  expect(rows[1]?.headers['x-strange']).toMatch(/^nul . and half .+ a pair$/)
  expect(rows[2]?.message_id).toMatch(/^sha256:[0-9a-f]{64}$/)
  expect(rows[2]?.headers['Nats-Msg-Id']).toHaveLength(60_005)
})

test('a message that comes again keeps its row, and another message under the same id gets its own', async () => {
  await using fixture = await openEventsFixture()
  await using _ = await consume(fixture, async () => {
    throw new PermanentError('cannot be applied')
  })
  const js = await fixture.bus.jetstream()
  const manager = await fixture.bus.manager()
  await manager.streams.update('EVT_PAYMENTS', { duplicate_window: nanos(100) })
  const publish = (text: string) =>
    eventually(async () =>
      expect(await js.publish(subject, text, { msgID: 'same' })).toMatchObject({ duplicate: false }),
    )
  await publish('first')
  await eventually(async () => expect(await deadLetters(fixture)).toHaveLength(1))
  await fixture.pool.query('update dead_letters set replayed_at = now()')
  await publish('first')
  await publish('second')
  await untilSettled(fixture)
  const rows = await deadLetters(fixture)
  expect(rows.map((row) => row.payload.toString())).toEqual(['first', 'second'])
  expect(rows.map((row) => row.replayed_at)).toEqual([null, null])
})

test('a message is not terminated before its row is committed', async () => {
  await using fixture = await openEventsFixture()
  await fixture.pool.query('alter table dead_letters rename to dead_letters_away')
  await using running = await consume(fixture, async () => {
    throw new PermanentError('cannot be applied')
  })
  await (await fixture.bus.jetstream()).publish(subject, 'kept', { msgID: 'kept' })
  await eventually(async () => expect(await running.metric('events_held')).toBe(1))
  await fixture.pool.query('alter table dead_letters_away rename to dead_letters')
  await eventually(async () => expect(await deadLetters(fixture)).toHaveLength(1), { within: 10_000 })
  await eventually(async () => expect(await running.metric('events_held')).toBe(0))
})

test('while the database is at fault a message stays with this process, and the broker does not deliver it again', async () => {
  await using fixture = await openEventsFixture()
  // Read-only, cancelled, not permitted, no column, no table, and names and hosts that cannot be reached.
  const codes = [
    '25006',
    '57014',
    '42501',
    '42703',
    '42P01',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ECONNREFUSED',
  ]
  const tries: { code: string; delivery: number }[] = []
  let broken = true
  await using running = await consume(fixture, async (message) => {
    const code = Buffer.from(message.data).toString()
    tries.push({ code, delivery: message.info.deliveryCount })
    if (broken) throw Object.assign(new Error('refused'), { code })
  })
  const js = await fixture.bus.jetstream()
  for (const code of codes) await js.publish(subject, code, { msgID: code })
  const triesOf = (code: string) => tries.filter((one) => one.code === code).length
  await eventually(() => expect(Math.min(...codes.map(triesOf))).toBeGreaterThanOrEqual(3), { within: 15_000 })
  expect(await running.metric('events_held')).toBe(codes.length)
  expect(await running.metric('events_held_oldest_seconds')).toBeGreaterThan(0)
  broken = false
  await untilSettled(fixture)
  expect(new Set(tries.map(({ delivery }) => delivery))).toEqual(new Set([1]))
  expect(await running.metric('events_held')).toBe(0)
  expect(await deadLetters(fixture)).toEqual([])
})

test('a fault of one message holds it at any delivery count, with one line in the log, and the others are handled', async () => {
  await using fixture = await openEventsFixture()
  const handled: string[] = []
  const logged: string[] = []
  const note = (_: object, text: string) => void logged.push(text)
  let deliveries = 0
  let repaired = false
  await using running = await consume(
    fixture,
    async (message) => {
      const text = Buffer.from(message.data).toString()
      if (text === 'bug') {
        deliveries = message.info.deliveryCount
        // Without the pauses: it is soon delivered more often than in a day of outages.
        const nak = message.nak.bind(message)
        message.nak = () => nak(50)
        if (!repaired) throw new TypeError('a bug')
      }
      handled.push(text)
    },
    { log: Object.assign(Object.create(log), { warn: note, info: note }) },
  )
  const js = await fixture.bus.jetstream()
  await js.publish(subject, 'bug', { msgID: 'bug' })
  await eventually(() => expect(deliveries).toBeGreaterThanOrEqual(12), { within: 10_000 })
  await js.publish(subject, 'fine', { msgID: 'fine' })
  await eventually(() => expect(handled).toEqual(['fine']))
  expect(await running.metric('events_held')).toBe(1)
  expect(await deadLetters(fixture)).toEqual([])
  repaired = true
  await untilSettled(fixture)
  expect(handled).toEqual(['fine', 'bug'])
  expect(logged).toEqual([
    'events cannot be processed; the consumer holds them',
    'the consumer goes on; it holds no events any more',
  ])
})

test('an event of an unknown type or version is acknowledged and counted', async () => {
  await using fixture = await openEventsFixture()
  await using running = await consume(fixture, async () => {
    throw new UnknownEvent('of a newer release')
  })
  await (await fixture.bus.jetstream()).publish(subject, 'new', { msgID: 'new' })
  await eventually(async () => expect(await running.metric('events_consumed_total', { outcome: 'ignored' })).toBe(1))
  await untilSettled(fixture)
  expect(await deadLetters(fixture)).toEqual([])
})

test('a consumer continues after the broker was killed and restarted', async () => {
  await using fixture = await openEventsFixture()
  const relay = fixture.startReplica()
  const seen = new Set<string>()
  await using _ = await consume(fixture, async (message) => void seen.add(parseEvent(message.data).id))
  await fixture.commit([outcome(newId(), 1)], relay)
  await eventually(() => expect(seen.size).toBe(1))
  await fixture.nats.stop('SIGKILL')
  await fixture.commit([outcome(newId(), 1), outcome(newId(), 1)], relay)
  await fixture.nats.start()
  await eventually(() => expect(seen.size).toBe(3), { within: 20_000 })
})
