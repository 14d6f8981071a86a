import { setTimeout as wait } from 'node:timers/promises'
import type { Consumer } from '@frontdesk/contracts'
import { isUnavailable } from '@frontdesk/database'
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream'
import type { Logger } from 'pino'
import { untilConnected, type Bus } from './bus.ts'
import { PermanentError } from './envelope.ts'
import type { EventMetrics } from './metrics.ts'
import { toNatsHeaders } from './relay.ts'

const deliveriesBeforeDeadLetter = 10

export interface ConsumerOptions {
  consumer: Consumer
  service: string
  bus: Bus
  log: Logger
  metrics: EventMetrics
  signal: AbortSignal
  /** Messages handled at the same time. Default 16. */
  concurrency?: number
  /** Whether the handler's dependencies work. Only then a tenth failure makes a dead letter. Default: always. */
  isHealthy?: () => boolean | Promise<boolean>
  /** Applies one message and commits; it is acknowledged afterwards. May run more than once for a message. */
  handle: (message: JsMsg) => Promise<void>
}

/**
 * Runs a durable consumer until `signal` aborts. The promise settles once the started messages are handled.
 * A message becomes a dead letter on PermanentError, and on its tenth failed delivery while `isHealthy`. While the
 * database is unavailable, the consumer keeps its messages and retries them. Other failures are redelivered.
 */
export async function runConsumer(options: ConsumerOptions): Promise<void> {
  const { signal, concurrency = 16 } = options
  const running = new Set<Promise<void>>()
  for await (const message of messages(options, concurrency * 2)) {
    const work = settle(options, message).finally(() => running.delete(work))
    running.add(work)
    if (running.size >= concurrency) await Promise.race(running)
    if (signal.aborted) break
  }
  await Promise.all(running)
}

/**
 * Yields the messages of a durable until `signal` aborts; binds it again after each outage.
 * This replica buffers at most `maxMessages`.
 */
export async function* messages(
  { consumer, bus, log, signal }: Pick<ConsumerOptions, 'consumer' | 'bus' | 'log' | 'signal'>,
  maxMessages: number,
): AsyncGenerator<JsMsg> {
  let warned = false
  while (!signal.aborted) {
    let bound: ConsumerMessages | undefined
    const stop = () => void bound?.close()
    try {
      await untilConnected(bus, signal)
      if (signal.aborted) return
      const js = await bus.jetstream()
      const durable = await js.consumers.get(consumer.stream, consumer.name)
      bound = await durable.consume({ max_messages: maxMessages, abort_on_missing_resource: true })
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
      warned = false
      for await (const message of bound) yield message
    } catch (error) {
      if (signal.aborted) return
      // Logged once per outage: the stream may not be provisioned yet.
      if (!warned) log.warn({ err: error, consumer: consumer.name }, 'cannot bind the consumer; trying again')
      warned = true
    } finally {
      signal.removeEventListener('abort', stop)
      await bound?.close().catch(() => {})
    }
    await wait(1_000, undefined, { signal }).catch(() => {})
  }
}

async function settle(options: ConsumerOptions, message: JsMsg): Promise<void> {
  const { consumer, log, metrics } = options
  const outcome = (name: string) => metrics.consumed.inc({ consumer: consumer.name, outcome: name })
  try {
    await handleWithDatabase(options, message)
    message.ack()
    outcome('handled')
  } catch (error) {
    const spent = message.info.deliveryCount >= deliveriesBeforeDeadLetter && (await isHealthy(options))
    if (error instanceof PermanentError || spent) {
      log.error({ err: error, consumer: consumer.name, subject: message.subject, seq: message.seq }, 'dead letter')
      await deadLetter(options, message, error).then(
        () => outcome('dead_letter'),
        () => message.nak(5_000),
      )
      return
    }
    if (!options.signal.aborted)
      log.warn({ err: error, consumer: consumer.name, seq: message.seq }, 'a message failed; it will be redelivered')
    message.nak(backoffMs(message.info.deliveryCount))
    outcome('retried')
  }
}

async function isHealthy({ isHealthy: check = () => true }: ConsumerOptions): Promise<boolean> {
  try {
    return await check()
  } catch {
    return false
  }
}

/** Runs the handler, repeatedly while the database is unavailable. Extends the message's ack wait meanwhile. */
async function handleWithDatabase({ handle, signal, consumer }: ConsumerOptions, message: JsMsg): Promise<void> {
  const heartbeat = setInterval(() => message.working(), consumer.ackWaitMs / 3)
  try {
    for (;;) {
      try {
        return await handle(message)
      } catch (error) {
        if (!isUnavailable(error) || signal.aborted) throw error
        await wait(1_000, undefined, { signal }).catch(() => {})
      }
    }
  } finally {
    clearInterval(heartbeat)
  }
}

/** Doubles from 1 s to 30 s, with jitter. Not longer, because a delayed message blocks healthy ones. */
function backoffMs(deliveryCount: number): number {
  const ceiling = Math.min(30_000, 1_000 * 2 ** (deliveryCount - 1))
  return Math.round(ceiling * (0.5 + Math.random() / 2))
}

/** Publishes the message to the dead letters, then terminates it. Its message id drops a duplicate after a crash. */
export async function deadLetter(
  { bus, service, consumer }: Pick<ConsumerOptions, 'bus' | 'service' | 'consumer'>,
  message: JsMsg,
  reason: unknown,
): Promise<void> {
  const js = await bus.jetstream()
  const id = message.headers?.get('Nats-Msg-Id') || `${consumer.stream}:${message.seq}`
  await js.publish(`dlq.${service}.${consumer.name}`, message.data, {
    msgID: `${id}:${consumer.name}`,
    headers: toNatsHeaders({
      'content-type': message.headers?.get('content-type') || 'application/octet-stream',
      'x-dead-letter-reason': headerText(reason instanceof Error ? reason.message : String(reason)),
      'x-original-subject': message.subject,
      'x-original-stream': consumer.stream,
      'x-original-seq': String(message.seq),
      'x-deliveries': String(message.info.deliveryCount),
    }),
  })
  // Without a reason: 2.9 servers ignore a term() with one and redeliver.
  message.term()
}

const headerText = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 500)
