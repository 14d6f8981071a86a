import type { Consumer } from '@frontdesk/contracts'
import type { JsMsg } from '@nats-io/jetstream'
import type { Logger } from 'pino'
import type { EventMetrics } from './metrics.ts'

/** The messages that a consumer could not process and keeps, until it can. */
export interface Holding {
  /** Keeps messages that failed, in the hands of this process. */
  keep(messages: readonly JsMsg[], error: unknown): void
  /** Gives a message that failed back to JetStream, which delivers it again after a growing pause. */
  giveBack(message: JsMsg, error: unknown): void
  /** These messages are done. */
  release(messages: readonly JsMsg[]): void
}

interface Held {
  storedAt: number
  /** When it should have come again; then another replica has it. */
  until: number
}

const longestGiveBackMs = 30_000

/**
 * Keeps track of the messages that a consumer holds. Shows them in two gauges; logs when the consumer begins to hold, when it
 * holds for another kind of error, and when it goes on. A retry is not logged.
 */
export function createHolding({
  consumer,
  metrics,
  log,
}: {
  consumer: Consumer
  metrics: EventMetrics
  log: Logger
}): Holding {
  const held = new Map<number, Held>()
  const kinds = new Set<string>()

  function hold(message: JsMsg, until: number): void {
    held.set(message.seq, { storedAt: message.info.timestampNanos / 1_000_000, until })
    metrics.consumed.inc({ consumer: consumer.name, outcome: 'held' })
  }

  function warn(error: unknown, events: number): void {
    const kind = kindOf(error)
    if (kinds.has(kind)) return
    kinds.add(kind)
    log.warn({ err: error, consumer: consumer.name, events }, 'events cannot be processed; the consumer holds them')
  }

  function settle(): void {
    const now = Date.now()
    for (const [seq, { until }] of held) if (until < now) held.delete(seq)
    if (held.size > 0 || kinds.size === 0) return
    kinds.clear()
    log.info({ consumer: consumer.name }, 'the consumer goes on; it holds no events any more')
  }

  metrics.heldBy(consumer.name, () => {
    settle()
    let oldest = Infinity
    for (const { storedAt } of held.values()) oldest = Math.min(oldest, storedAt)
    return { held: held.size, oldestSeconds: held.size === 0 ? 0 : Math.max(0, (Date.now() - oldest) / 1_000) }
  })

  return {
    keep(messages, error) {
      for (const message of messages) hold(message, Infinity)
      warn(error, messages.length)
    },
    giveBack(message, error) {
      const pauseMs = backoffMs(message.info.deliveryCount, longestGiveBackMs)
      message.nak(pauseMs)
      hold(message, Date.now() + pauseMs + 2 * consumer.ackWaitMs)
      warn(error, 1)
    },
    release(messages) {
      if (held.size === 0 && kinds.size === 0) return
      for (const message of messages) held.delete(message.seq)
      settle()
    },
  }
}

/** Returns the wait before the next try: doubles from 1 s up to `longestMs`, with jitter, so that held messages spread out. */
export function backoffMs(tries: number, longestMs: number): number {
  const ceiling = Math.min(longestMs, 1_000 * 2 ** Math.min(20, tries - 1))
  return Math.round(ceiling * (0.5 + Math.random() / 2))
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error ? String(error.code) : error.name
}
