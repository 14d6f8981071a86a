import { setTimeout as wait } from 'node:timers/promises'
import type { Consumer } from '@frontdesk/contracts'
import type { Queryable } from '@frontdesk/database'
import type { JsMsg } from '@nats-io/jetstream'
import type { Logger } from 'pino'
import { countDeadLetters, deadLetterOf, saveDeadLetter } from './dead-letters.ts'
import type { Holding } from './holding.ts'
import type { EventMetrics } from './metrics.ts'
import type { ForgedEvent } from './reading.ts'

const countEveryMs = 60_000

export interface SettingAsideDeps {
  consumer: Consumer
  /** The consumer's own database. */
  db: Queryable
  holding: Holding
  log: Logger
  metrics: EventMetrics
}

/**
 * Returns the function that sets a message aside: it terminates the message once its row is committed. While the row cannot
 * be written, the message is held.
 */
export function createSettingAside({ consumer, db, holding, log, metrics }: SettingAsideDeps) {
  return async function setAside(message: JsMsg, reason: unknown): Promise<void> {
    try {
      await saveDeadLetter(db, deadLetterOf(consumer, message, reason))
    } catch (error) {
      holding.giveBack(message, error)
      return
    }
    // Without a reason: 2.9 servers ignore a term() with one and redeliver.
    message.term()
    holding.release([message])
    log.error({ err: reason, consumer: consumer.name, subject: message.subject, seq: message.seq }, 'dead letter')
    metrics.consumed.inc({ consumer: consumer.name, outcome: 'dead_letter' })
    metrics.deadLetters.inc({ consumer: consumer.name })
  }
}

/** Drops a forged message, which no replay may bring back. A person must look for who published it. */
export function dropForged(
  { consumer, holding, log, metrics }: Omit<SettingAsideDeps, 'db'>,
  message: JsMsg,
  reason: ForgedEvent,
): void {
  message.term()
  holding.release([message])
  const { subject, seq } = message
  log.error(
    { err: reason, consumer: consumer.name, stream: consumer.stream, subject, seq },
    'a forged event was dropped',
  )
  metrics.consumed.inc({ consumer: consumer.name, outcome: 'forged' })
  metrics.forged.inc({ consumer: consumer.name })
}

/** Counts the open dead letters of a consumer, now and once a minute, until `signal` aborts. */
export async function watchDeadLetters(
  { consumer, db, metrics }: Pick<SettingAsideDeps, 'consumer' | 'db' | 'metrics'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await countDeadLetters(db, consumer.name).then(
      (open) => metrics.deadLetters.set({ consumer: consumer.name }, open),
      // Unknown while the database is away; the last count stays.
      () => {},
    )
    await wait(countEveryMs, undefined, { signal }).catch(() => {})
  }
}
