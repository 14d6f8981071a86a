import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { consumers, streams, type Consumer } from '@frontdesk/contracts'
import { transaction } from '@frontdesk/database'
import { eventually } from '@frontdesk/testing'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import {
  consumerStates,
  createEventMetrics,
  parseEvent,
  provisionStreams,
  receiveOnce,
  runConsumer,
  type Relay,
} from '../src/index.ts'
import { messages } from '../src/binding.ts'
import { log, newId, openEventsFixture, outcome, type EventsFixture } from './events-fixture.ts'

const onPayments: Consumer = {
  ...consumers.deliveryPayments,
  name: 'test-payments',
  owner: 'payments',
  ackWaitMs: 1_000,
}

/** Provisions a durable. Returns it. */
async function provisioned(fixture: EventsFixture): Promise<Consumer> {
  await provisionStreams(await fixture.bus.connection(), [], [onPayments])
  return onPayments
}

/** Runs a consumer that applies each event once. */
function consume(fixture: EventsFixture, consumer: Consumer) {
  const stop = new AbortController()
  const metrics = createEventMetrics(new Registry())
  const applied: string[] = []
  let gate: PromiseWithResolvers<void> | undefined
  const stopped = runConsumer({
    consumer,
    bus: fixture.bus,
    db: fixture.pool,
    log,
    metrics,
    signal: stop.signal,
    async handle(message) {
      const event = parseEvent(message.data)
      await gate?.promise
      await transaction(fixture.pool, async (tx) => {
        if (await receiveOnce(tx, consumer.name, event)) applied.push(event.subject ?? event.id)
      })
    },
  })
  return {
    applied,
    /** Keeps the consumer from handling what it receives until `release`. */
    hold: () => void (gate = Promise.withResolvers()),
    release: () => gate?.resolve(),
    state: () => consumerStates(metrics)[consumer.name],
    async [Symbol.asyncDispose]() {
      stop.abort()
      await stopped
    },
  }
}

async function commit(fixture: EventsFixture, relay: Relay, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId)
  await fixture.commit(
    ids.map((id) => outcome(id, 1)),
    relay,
  )
  return ids
}

test('a consumer whose durable is deleted while it is bound makes it again and misses nothing', async () => {
  await using fixture = await openEventsFixture()
  const relay = fixture.startReplica()
  await using consumer = consume(fixture, await provisioned(fixture))
  const before = await commit(fixture, relay, 3)
  await eventually(() => expect(consumer.applied).toHaveLength(3))
  await eventually(() => expect(consumer.state()).toEqual({ bound: true, pending: 0 }))

  await (await fixture.bus.manager()).consumers.delete('EVT_PAYMENTS', onPayments.name)
  const after = await commit(fixture, relay, 3)
  await eventually(() => expect(consumer.applied.toSorted()).toEqual([...before, ...after].toSorted()), {
    within: 6_000,
  })
})

test('a consumer that is missing is made again a little before its recorded position', async () => {
  await using fixture = await openEventsFixture()
  const relay = fixture.startReplica()
  const first = consume(fixture, await provisioned(fixture))
  await commit(fixture, relay, 3)
  await eventually(async () => {
    const { rows } = await fixture.pool.query(
      `select ack_floor from consumer_positions where consumer = 'test-payments'`,
    )
    expect(rows).toEqual([{ ack_floor: expect.anything() }])
  })
  await first[Symbol.asyncDispose]()
  const manager = await fixture.bus.manager()
  await manager.consumers.delete('EVT_PAYMENTS', onPayments.name)
  const { rows } = await fixture.pool.query<{ resume_from: Date }>('select resume_from from consumer_positions')
  await using second = consume(fixture, onPayments)
  await eventually(() => expect(second.state()?.bound).toBe(true))
  const { config } = await manager.consumers.info('EVT_PAYMENTS', onPayments.name)
  expect(config.deliver_policy).toBe('by_start_time')
  expect(Date.parse(config.opt_start_time ?? '')).toBe((rows[0]?.resume_from.getTime() ?? 0) - 120_000)
  await expect(provisionStreams(await fixture.bus.connection(), streams, [onPayments])).resolves.toEqual([])
})

test('a consumer of a work queue whose durable is deleted makes it again with all that is left', async () => {
  await using fixture = await openEventsFixture()
  const work = consumers.paymentsProviderEvents
  const handled: string[] = []
  const stop = new AbortController()
  const stopped = runConsumer({
    consumer: work,
    bus: fixture.bus,
    db: fixture.pool,
    log,
    metrics: createEventMetrics(new Registry()),
    signal: stop.signal,
    handle: async (message) => void handled.push(message.string()),
  })
  await using _ = {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await stopped
    },
  }
  const js = await fixture.bus.jetstream()
  const publish = async (...items: string[]) => {
    for (const item of items) await js.publish('work.payments.provider.event-received.v1.-', item)
  }
  await publish('1', '2')
  await eventually(() => expect(handled).toHaveLength(2))
  await eventually(async () => {
    const { rows } = await fixture.pool.query('select 1 from consumer_positions where consumer = $1', [work.name])
    expect(rows).toHaveLength(1)
  })
  await (await fixture.bus.manager()).consumers.delete(work.stream, work.name)
  await publish('3', '4', '5')
  await eventually(() => expect(handled.toSorted()).toEqual(['1', '2', '3', '4', '5']), { within: 6_000 })
})

test('a consumer whose stream does not exist yet says so, and begins with the first message once it does', async () => {
  await using fixture = await openEventsFixture()
  const manager = await fixture.bus.manager()
  await manager.streams.delete('EVT_PAYMENTS')
  const relay = fixture.startReplica()
  await using consumer = consume(fixture, onPayments)
  await eventually(() => expect(consumer.state()).toEqual({ bound: false, pending: undefined }))
  const ids = await commit(fixture, relay, 2)
  await provisionStreams(await fixture.bus.connection(), streams, [])
  await eventually(() => expect(consumer.applied.toSorted()).toEqual(ids.toSorted()), { within: 6_000 })
})

test('when a stream is lost under a bound consumer, the events come back and each is applied once', async () => {
  await using fixture = await openEventsFixture()
  const relay = fixture.startReplica()
  await using consumer = consume(fixture, await provisioned(fixture))
  const ids = await commit(fixture, relay, 5)
  await eventually(() => expect(consumer.applied).toHaveLength(5))
  // More than the consumer buffers: the stream has acknowledged them, and nobody has received the last ones.
  consumer.hold()
  ids.push(...(await commit(fixture, relay, 60)))
  await eventually(async () => expect(await fixture.waiting()).toBe(0))
  await (await fixture.bus.manager()).streams.delete('EVT_PAYMENTS')
  consumer.release()
  await provisionStreams(await fixture.bus.connection(), streams, [])
  ids.push(...(await commit(fixture, relay, 1)))
  await eventually(() => expect(consumer.applied.toSorted()).toEqual(ids.toSorted()), { within: 10_000 })
})

const rolledBack = [
  ['the whole store', ''],
  ['the messages without the consumers', 'msgs'],
] as const

test.skipIf(process.env['FRONTDESK_INFRA'] === 'containers').for(rolledBack)(
  'a bound consumer goes on after %s was rolled back, and applies each event once',
  async ([, part]) => {
    await using fixture = await openEventsFixture()
    const relay = fixture.startReplica()
    await using consumer = consume(fixture, await provisioned(fixture))
    const store = join(fixture.nats.storeDir ?? '', 'jetstream')
    const stream = join(store, '$G/streams/EVT_PAYMENTS', part)
    const ids = await commit(fixture, relay, 3)
    await eventually(() => expect(consumer.applied).toHaveLength(3))
    await fixture.nats.stop()
    await cp(stream, `${store}-copy`, { recursive: true })
    await fixture.nats.start()
    // More than the consumer buffers: the last ones were only in the stream.
    consumer.hold()
    ids.push(...(await commit(fixture, relay, 60)))
    await eventually(async () => expect(await fixture.waiting()).toBe(0), { within: 10_000 })
    await fixture.nats.stop()
    consumer.release()
    await rm(stream, { recursive: true })
    await cp(`${store}-copy`, stream, { recursive: true })
    // Fewer than were lost: their sequences are given out a second time, below the durable's.
    ids.push(...(await commit(fixture, relay, 2)))
    await fixture.nats.start()
    await eventually(() => expect(consumer.applied.toSorted()).toEqual(ids.toSorted()), { within: 15_000 })
    ids.push(...(await commit(fixture, relay, 1)))
    await eventually(() => expect(consumer.applied.toSorted()).toEqual(ids.toSorted()), { within: 15_000 })
  },
)

test('a consumer that is busy all the time is not taken for one whose stream was rolled back', async () => {
  await using fixture = await openEventsFixture()
  const consumer = await provisioned(fixture)
  const stop = new AbortController()
  const metrics = createEventMetrics(new Registry())
  const seen = new Set<number>()
  const reading = (async () => {
    for await (const message of messages(
      { consumer, bus: fixture.bus, db: fixture.pool, log, metrics, signal: stop.signal },
      500,
    )) {
      seen.add(message.seq)
      message.ack()
    }
  })()
  const js = await fixture.bus.jetstream()
  // Long enough for several looks at the stream, which new messages overtake.
  const until = performance.now() + 9_000
  let published = 0
  const publish = async () => {
    for (; performance.now() < until; published++) await js.publish('evt.pub.payments.payment.succeeded.v1.sBusy', 'x')
  }
  await Promise.all(Array.from({ length: 8 }, publish))
  await eventually(() => expect(seen.size).toBe(published))
  stop.abort()
  await reading
  expect((await metrics.consumersMade.get()).values).toEqual([])
})
