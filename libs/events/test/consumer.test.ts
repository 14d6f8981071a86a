import { consumers } from '@frontdesk/contracts'
import { transaction } from '@frontdesk/database'
import { eventually } from '@frontdesk/testing'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import {
  createEventMetrics,
  parseEvent,
  PermanentError,
  provisionStreams,
  receiveOnce,
  runConsumer,
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
  const stopped = runConsumer({
    consumer,
    service: 'payments',
    bus: fixture.bus,
    log,
    metrics: createEventMetrics(new Registry()),
    signal: stop.signal,
    handle,
    ...options,
  })
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await stopped
    },
  }
}

async function deadLetters(fixture: EventsFixture) {
  const manager = await fixture.bus.manager()
  return (await manager.streams.info('DLQ', { subjects_filter: 'dlq.>' })).state.subjects ?? {}
}

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
  await eventually(async () => expect(await deadLetters(fixture)).toEqual({ 'dlq.payments.test-payments': 1 }))
})

test('a message that fails while the database is unavailable never becomes a dead letter', async () => {
  await using fixture = await openEventsFixture()
  const relay = fixture.startReplica()
  let deliveries = 0
  let unavailable = true
  const handle: ConsumerOptions['handle'] = async (message) => {
    deliveries = message.info.deliveryCount
    if (unavailable) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  }
  await using _ = await consume(fixture, handle, { isHealthy: () => !unavailable })
  await fixture.commit([outcome(newId(), 1)], relay)
  // The consumer keeps the message and extends its ack wait, so the broker does not redeliver it.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(deliveries).toBe(1)
  unavailable = false
  await eventually(async () => {
    const info = await (await fixture.bus.manager()).consumers.info('EVT_PAYMENTS', consumer.name)
    expect([info.num_ack_pending, info.num_pending]).toEqual([0, 0])
  })
  expect(await deadLetters(fixture)).toEqual({})
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

test('provisioning again changes nothing, and a destructive change is refused', async () => {
  await using fixture = await openEventsFixture()
  const { streams } = await import('@frontdesk/contracts')
  const lines: string[] = []
  const connection = await fixture.bus.connection()
  const payments = streams.filter((stream) => stream.name === 'EVT_PAYMENTS')
  await provisionStreams(connection, payments, [consumers.paymentsProviderEvents], {
    report: (line) => lines.push(line),
  })
  expect(lines).toEqual([])
  const shorter = payments.map((stream) => ({ ...stream, maxAgeMs: 1_000_000 }))
  await expect(provisionStreams(connection, shorter, [])).rejects.toThrow(/max_age/)
})
