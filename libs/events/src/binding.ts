import { EventEmitter, once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { streams, type Consumer } from '@frontdesk/contracts'
import type { Queryable } from '@frontdesk/database'
import {
  JetStreamApiCodes,
  JetStreamApiError,
  type ConsumerInfo,
  type ConsumerMessages,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream'
import type { Logger } from 'pino'
import { untilConnected, type Bus } from './bus.ts'
import { readPosition, savePosition, type ConsumerPosition } from './consumer-positions.ts'
import type { EventMetrics } from './metrics.ts'
import { consumerConfig, startingAt } from './streams.ts'

// The server tells a bound consumer of its end only sometimes, and never of the end of its stream.
const watchEveryMs = 2_000
const savePositionEveryMs = 10_000
/** How far behind its recorded position a consumer is made again: clocks differ, and inbox rows make repeats harmless. */
const resumeMarginMs = 2 * 60_000

export interface BindingOptions {
  consumer: Consumer
  bus: Bus
  log: Logger
  metrics: EventMetrics
  signal: AbortSignal
  /** Has the position of the consumer. */
  db: Queryable
}

/**
 * Yields the messages of a durable until `signal` aborts; binds it again after each outage. If the server has lost the
 * durable, or its stream was rolled back, the durable is made again at its recorded position. While the stream is missing it
 * keeps trying. This replica buffers at most `maxMessages`.
 */
export async function* messages(options: BindingOptions, maxMessages: number): AsyncGenerator<JsMsg> {
  const { consumer, bus, log, metrics, signal } = options
  let warned: string | undefined
  const unbound = () => {
    metrics.consumerStates.set(consumer.name, { bound: false, pending: undefined })
    metrics.consumerBound.set({ consumer: consumer.name }, 0)
    // Its lag is unknown now: the last value would look healthy.
    metrics.consumerPending.remove({ consumer: consumer.name })
    metrics.consumerAckPending.remove({ consumer: consumer.name })
    metrics.consumerRedelivered.remove({ consumer: consumer.name })
  }
  unbound()
  while (!signal.aborted) {
    let bound: ConsumerMessages | undefined
    const released = new AbortController()
    const stop = () => void bound?.close()
    try {
      await untilConnected(bus, signal)
      if (signal.aborted) return
      const manager = await bus.manager()
      const info = await findOrMake(manager, options)
      const js = await bus.jetstream()
      const durable = await js.consumers.get(consumer.stream, consumer.name)
      bound = await durable.consume({ max_messages: maxMessages, abort_on_missing_resource: true })
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
      if (warned !== undefined) log.info({ consumer: consumer.name }, 'the consumer is bound again')
      warned = undefined
      const last: Seen = { seq: 0, time: 0 }
      void watch(manager, info, last, options, released.signal)
        .catch((error: unknown) => log.debug({ err: error, consumer: consumer.name }, 'the consumer is not watched'))
        .finally(() => bound?.stop())
      for await (const message of bound) {
        if (message.seq > last.seq) {
          last.seq = message.seq
          last.time = message.info.timestampNanos / 1_000_000
        }
        yield message
      }
    } catch (error) {
      if (signal.aborted) return
      // Each reason is logged once per outage: the stream may not be provisioned yet.
      const reason = String(error)
      if (warned !== reason) log.warn({ err: error, consumer: consumer.name }, 'cannot bind the consumer; trying again')
      warned = reason
    } finally {
      signal.removeEventListener('abort', stop)
      released.abort()
      unbound()
      await bound?.close().catch(() => {})
    }
    await wait(1_000, undefined, { signal }).catch(() => {})
  }
}

/** Returns the durable; makes it if it is missing, and makes it again if it is ahead of its stream. */
async function findOrMake(manager: JetStreamManager, options: BindingOptions): Promise<ConsumerInfo> {
  const { consumer } = options
  const present = await findConsumer(manager, consumer)
  if (present === undefined) return await make(manager, options, 'it was missing')
  // It would wait for sequences that the stream gives out a second time, and skip their messages.
  if (!(await isAhead(manager, options, present))) return present
  await remove(manager, consumer)
  return await make(manager, options, 'it was ahead of its stream')
}

/** Whether a durable stands where its stream has not come to yet, or has come to a second time. */
async function isAhead(
  manager: JetStreamManager,
  { consumer, db }: BindingOptions,
  present: ConsumerInfo,
): Promise<boolean> {
  const { state } = await manager.streams.info(consumer.stream)
  if (present.delivered.stream_seq > state.last_seq) return true
  const position = await readPosition(db, consumer.name)
  if (position === undefined || position.ackFloor === 0) return false
  const message = await manager.streams.getMessage(consumer.stream, { seq: position.ackFloor })
  // It was acknowledged before the recorded time, so another message has its sequence now.
  return message !== null && Date.parse(message.timestamp) > position.resumeFrom.getTime() + resumeMarginMs
}

async function findConsumer(manager: JetStreamManager, { stream, name }: Consumer): Promise<ConsumerInfo | undefined> {
  try {
    return await manager.consumers.info(stream, name)
  } catch (error) {
    if (isConsumerNotFound(error)) return undefined
    throw error
  }
}

async function make(manager: JetStreamManager, options: BindingOptions, reason: string): Promise<ConsumerInfo> {
  const { consumer, db, log, metrics } = options
  const position = await readPosition(db, consumer.name)
  const from = position === undefined ? undefined : new Date(position.resumeFrom.getTime() - resumeMarginMs)
  // A work queue has only what is left to do, and the server takes no later start for its consumer.
  const isWork = streams.some(({ name, retention }) => name === consumer.stream && retention === 'workqueue')
  const start = startingAt(isWork ? undefined : from)
  // If another replica was faster, its durable is found at the next try.
  const made = await manager.consumers.add(consumer.stream, { ...consumerConfig(consumer), ...start })
  metrics.consumersMade.inc({ consumer: consumer.name })
  log.warn(
    { consumer: consumer.name, stream: consumer.stream, reason, from: isWork ? undefined : from },
    'made the consumer again',
  )
  return made
}

async function remove(manager: JetStreamManager, { stream, name }: Consumer): Promise<void> {
  try {
    await manager.consumers.delete(stream, name)
  } catch (error) {
    if (!isConsumerNotFound(error)) throw error
  }
}

/** A message that this replica has seen in the stream. After a rollback another one has its sequence, or none. */
interface Seen {
  seq: number
  /** When it was stored, epoch milliseconds. */
  time: number
}

/**
 * Keeps the consumer's metrics and its recorded position up to date until `released` aborts. Returns when the durable must
 * be bound again: it is gone, or another one, or was removed here because its stream was rolled back. `last` is the newest
 * message that this replica has seen.
 */
async function watch(
  manager: JetStreamManager,
  { created }: ConsumerInfo,
  last: Seen,
  options: BindingOptions,
  released: AbortSignal,
): Promise<void> {
  const { consumer, bus, log, metrics } = options
  let savedAt = -Infinity
  let reconnected = false
  const due = new EventEmitter()
  const offConnect = bus.onConnect(() => {
    reconnected = true
    due.emit('connect')
  })
  try {
    while (!released.aborted) {
      try {
        const info = await findConsumer(manager, consumer)
        if (info === undefined || info.created !== created || released.aborted) return
        observe(metrics, info)
        // Noted before the question: messages that come while it is under way may be newer than its answer.
        const seen = { ...last }
        const { state } = await manager.streams.info(consumer.stream)
        if (state.last_seq < seen.seq || (reconnected && (await isReplaced(manager, consumer, seen)))) {
          log.warn({ consumer: consumer.name, seen: seen.seq, present: state.last_seq }, 'a stream was rolled back')
          await remove(manager, consumer)
          return
        }
        reconnected = false
        if (state.last_seq > last.seq) Object.assign(last, { seq: state.last_seq, time: Date.parse(state.last_ts) })
        if (performance.now() - savedAt > savePositionEveryMs) {
          await savePosition(options.db, await positionOf(manager, consumer, info))
          savedAt = performance.now()
        }
      } catch (error) {
        if (isStreamNotFound(error)) return
        // NATS or Postgres is away, which others notice.
        log.debug({ err: error, consumer: consumer.name }, 'the state of a consumer is unknown')
      }
      const waiting = AbortSignal.any([released, AbortSignal.timeout(watchEveryMs)])
      await once(due, 'connect', { signal: waiting }).catch(() => {})
    }
  } finally {
    offConnect()
  }
}

function observe(metrics: EventMetrics, info: ConsumerInfo): void {
  const { name: consumer, num_pending: pending } = info
  metrics.consumerStates.set(consumer, { bound: true, pending })
  metrics.consumerBound.set({ consumer }, 1)
  metrics.consumerPending.set({ consumer }, pending)
  metrics.consumerAckPending.set({ consumer }, info.num_ack_pending)
  metrics.consumerRedelivered.set({ consumer }, info.num_redelivered)
}

/** Whether the stream has another message at a sequence than we have seen there. */
async function isReplaced(manager: JetStreamManager, { stream }: Consumer, { seq, time }: Seen): Promise<boolean> {
  if (seq === 0) return false
  const message = await manager.streams.getMessage(stream, { seq })
  // Without the message (it is acknowledged work, or too old) nothing is known.
  return message !== null && Math.abs(Date.parse(message.timestamp) - time) > 1
}

/** Returns the position to record: everything stored before `resumeFrom` is acknowledged. */
async function positionOf(
  manager: JetStreamManager,
  { name, stream, filter }: Consumer,
  info: ConsumerInfo,
): Promise<ConsumerPosition> {
  const ackFloor = info.ack_floor.stream_seq
  const asked = new Date(info.ts ?? Date.now())
  if (info.num_pending === 0 && info.num_ack_pending === 0)
    return { consumer: name, stream, ackFloor, resumeFrom: asked }
  // The client's type lacks `next_by_subj`, which servers know since 2.9.
  const query: { seq: number; next_by_subj: string } = { seq: ackFloor + 1, next_by_subj: filter }
  const next = await manager.streams.getMessage(stream, query)
  return { consumer: name, stream, ackFloor, resumeFrom: next === null ? asked : new Date(next.timestamp) }
}

const isConsumerNotFound = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound
const isStreamNotFound = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound
