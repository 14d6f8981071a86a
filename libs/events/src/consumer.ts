import { setTimeout as wait } from 'node:timers/promises'
import type { Consumer } from '@frontdesk/contracts'
import { isDatabaseFault, isDataException, isDeadlock, type Queryable } from '@frontdesk/database'
import type { JsMsg } from '@nats-io/jetstream'
import type { Logger } from 'pino'
import { messages } from './binding.ts'
import type { Bus } from './bus.ts'
import { backoffMs, createHolding, type Holding } from './holding.ts'
import type { EventMetrics } from './metrics.ts'
import { ForgedEvent, PermanentError, UnknownEvent } from './reading.ts'
import { createSettingAside, dropForged, watchDeadLetters } from './setting-aside.ts'

const longestPauseMs = 5_000

export interface ConsumerOptions {
  consumer: Consumer
  bus: Bus
  /** The consumer's own database, for its dead letters and its position, where it is made again if the server loses it. */
  db: Queryable
  log: Logger
  metrics: EventMetrics
  signal: AbortSignal
  /** Messages handled at the same time. Default 16. */
  concurrency?: number
  /** Applies one message and commits; it is acknowledged afterwards. May run more than once for a message. */
  handle: (message: JsMsg) => Promise<void>
}

/**
 * Runs a durable consumer until `signal` aborts. The promise settles once the started messages are handled.
 *
 * A message becomes a dead letter only if it can never succeed: on PermanentError, and when Postgres refuses its values
 * (SQLSTATE class 22). A forged event is dropped. An unknown event is acknowledged and counted. Whatever else fails is held and tried again for as long
 * as it takes: by this process while the database or its schema is at fault, otherwise by JetStream, so that one message's
 * fault does not stop the others.
 */
export async function runConsumer(options: ConsumerOptions): Promise<void> {
  const { signal, concurrency = 16 } = options
  const holding = createHolding(options)
  const setAside = createSettingAside({ ...options, holding })
  const counted = watchDeadLetters(options, signal)
  const running = new Set<Promise<void>>()
  for await (const message of messages(options, concurrency * 2)) {
    const work = settle(options, message, { holding, setAside }).finally(() => running.delete(work))
    running.add(work)
    if (running.size >= concurrency) await Promise.race(running)
    if (signal.aborted) break
  }
  await Promise.all([...running, counted])
}

interface Ends {
  holding: Holding
  setAside: (message: JsMsg, reason: unknown) => Promise<void>
}

async function settle(options: ConsumerOptions, message: JsMsg, { holding, setAside }: Ends): Promise<void> {
  const { consumer, metrics, signal } = options
  let outcome = 'handled'
  try {
    await handleWithDatabase(options, message, holding)
  } catch (error) {
    if (error instanceof ForgedEvent) return dropForged({ ...options, holding }, message, error)
    if (error instanceof PermanentError || isDataException(error)) return await setAside(message, error)
    if (signal.aborted) return message.nak(1_000)
    if (!(error instanceof UnknownEvent)) return holding.giveBack(message, error)
    outcome = 'ignored'
  }
  message.ack()
  holding.release([message])
  metrics.consumed.inc({ consumer: consumer.name, outcome })
}

/** Runs the handler, repeatedly while the database is at fault. Extends the message's ack wait meanwhile. */
async function handleWithDatabase(
  { handle, signal, consumer }: ConsumerOptions,
  message: JsMsg,
  holding: Holding,
): Promise<void> {
  const heartbeat = setInterval(() => message.working(), consumer.ackWaitMs / 3)
  try {
    for (let tries = 1; ; tries++) {
      try {
        return await handle(message)
      } catch (error) {
        if (signal.aborted || !(isDatabaseFault(error) || isDeadlock(error))) throw error
        if (isDeadlock(error) && tries < 5) continue
        holding.keep([message], error)
        await wait(backoffMs(tries, longestPauseMs), undefined, { signal }).catch(() => {})
      }
    }
  } finally {
    clearInterval(heartbeat)
  }
}
