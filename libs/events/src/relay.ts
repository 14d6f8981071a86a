import { setTimeout as wait } from 'node:timers/promises'
import { leadWhenElected, type Queryable } from '@frontdesk/database'
import type { JetStreamClient } from '@nats-io/jetstream'
import { headers as natsHeaders, type MsgHdrs } from '@nats-io/transport-node'
import type { Logger } from 'pino'
import { untilConnected, type Bus } from './bus.ts'
import {
  deleteOldOutboxEvents,
  markPublished,
  outboxBacklog,
  pendingEvents,
  recordPublishFailure,
  type PendingEvent,
  type PublishedEvent,
} from './outbox.ts'
import type { EventMetrics } from './metrics.ts'

const batchSize = 500
const pollMs = 250
const idlePollMs = 1000
/**
 * Between the starts of two rounds that publish: under load, what commits meanwhile goes in one round, which halves the
 * round trips to Postgres at 400 events/s. An event after a pause goes at once.
 */
const gatherMs = 10
const tidyEveryMs = 60_000
const longestBackoffMs = 5_000
// The outbox is read and marked row by row, by index, and never in another way: a plan that was made while the table was
// small would read all of it each time, and a bitmap scan goes through the index entries of what was published long ago.
const relaySettings = '-c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off'

export interface RelayOptions {
  service: string
  databaseUrl: string
  bus: Bus
  log: Logger
  metrics: EventMetrics
  signal: AbortSignal
}

export interface Relay {
  /** Called after each commit that wrote to the outbox: publishes at once, here or in the copy that leads. Never waits. */
  wake(): void
  /** Settles when the relay has stopped after `signal`. */
  stopped: Promise<void>
}

/**
 * Moves committed outbox rows to JetStream: one leader per service, woken in-process and by a core-NATS nudge, with a
 * poll behind. Per aggregate the order is kept: the next event waits for the PubAck of the one before.
 */
export function startRelay({ service, databaseUrl, bus, log, metrics, signal }: RelayOptions): Relay {
  const nudgeSubject = `nudge.${service}.relay`
  const alarm = createAlarm()
  let leading = false

  bus
    .connection()
    .then((connection) => connection.subscribe(nudgeSubject, { callback: alarm.ring }))
    .catch((error: unknown) => log.debug({ err: error }, 'relay nudges are off'))
  const offConnect = bus.onConnect(alarm.ring)

  async function lead(db: Queryable, until: AbortSignal): Promise<void> {
    leading = true
    metrics.relayLeading.set(1)
    log.info('leading the outbox relay')
    try {
      await publishUntil(until, { db, bus, log, metrics, alarm })
    } finally {
      leading = false
      metrics.relayLeading.set(0)
    }
  }

  const onError = (error: unknown) => log.warn({ err: error }, 'the relay lost its database; trying again')
  const stopped = leadWhenElected(
    { url: databaseUrl, name: `${service} relay`, signal, settings: relaySettings, onError },
    lead,
  ).finally(offConnect)

  return {
    wake() {
      if (leading) alarm.ring()
      else bus.nudge(nudgeSubject)
    },
    stopped,
  }
}

interface Alarm {
  ring: () => void
  /** Forgets earlier rings: what they announced is about to be looked for. */
  silence(): void
  /** Waits, unless it rang since `silence` or rings meanwhile. */
  wait(milliseconds: number, until: AbortSignal): Promise<void>
}

function createAlarm(): Alarm {
  let rang = false
  let wakeUp = () => {}
  return {
    ring() {
      rang = true
      wakeUp()
    },
    silence: () => void (rang = false),
    wait(milliseconds, until) {
      // No AbortController of its own: one a wake was a twentieth of the process's work.
      return new Promise((resolve) => {
        if (rang || until.aborted) return resolve()
        const awake = () => {
          clearTimeout(timer)
          until.removeEventListener('abort', awake)
          resolve()
        }
        const timer = setTimeout(awake, milliseconds)
        until.addEventListener('abort', awake)
        wakeUp = awake
      })
    },
  }
}

type Leadership = Pick<RelayOptions, 'bus' | 'log' | 'metrics'> & { db: Queryable; alarm: Alarm }

async function publishUntil(until: AbortSignal, leadership: Leadership): Promise<void> {
  const { db, metrics, alarm } = leadership
  let backoffMs = 0
  let tidiedAt = 0
  while (!until.aborted) {
    alarm.silence()
    const startedAt = performance.now()
    const { published, failed } = await publishPending(leadership, until)
    metrics.outboxPublished.inc(published)
    backoffMs = failed ? Math.min(longestBackoffMs, Math.max(100, backoffMs * 2)) : 0
    if (Date.now() - tidiedAt > tidyEveryMs) {
      tidiedAt = Date.now()
      await tidyUp(db, metrics)
    }
    const early = gatherMs - (performance.now() - startedAt)
    if (published > 0 && published < batchSize && early > 0) {
      await wait(early, undefined, { signal: until }).catch(() => {})
    }
    if (failed) await alarm.wait(backoffMs, until)
    else if (published < batchSize) {
      await alarm.wait(published > 0 ? pollMs : idlePollMs * (0.8 + Math.random() * 0.2), until)
    }
  }
}

async function publishPending(
  { db, bus, log, metrics }: Leadership,
  until: AbortSignal,
): Promise<{ published: number; failed: boolean }> {
  const pending = await pendingEvents(db, batchSize)
  if (pending.length === 0) return { published: 0, failed: false }
  // While the broker is away the connection to Postgres must not idle out, so the wait is bounded by the poll.
  await untilConnected(bus, AbortSignal.any([until, AbortSignal.timeout(idlePollMs)]))
  if (!bus.isConnected()) return { published: 0, failed: true }
  const js = await bus.jetstream()
  const { published, failures } = await publishChains(js, pending)
  if (published.length > 0) await markPublished(db, published)
  const [first] = failures
  if (first !== undefined) {
    // A time-out says nothing: the event may be stored. It goes again under the same message id.
    const { event, error } = first
    log.warn({ err: error, eventId: event.id, subject: event.subject, failures: failures.length }, 'not published yet')
    metrics.publishFailures.inc(failures.length)
    await recordPublishFailure(db, event.seq, error instanceof Error ? error.message : String(error))
  }
  return { published: published.length, failed: failures.length > 0 }
}

interface Failure {
  event: PendingEvent
  error: unknown
}

/** Publishes aggregate by aggregate at the same time, each in its order; a failure stops its own aggregate only. */
async function publishChains(
  js: JetStreamClient,
  pending: readonly PendingEvent[],
): Promise<{ published: PublishedEvent[]; failures: Failure[] }> {
  const published: PublishedEvent[] = []
  const failures: Failure[] = []
  const chains = Map.groupBy(pending, (event) => `${event.aggregateType} ${event.aggregateId}`)
  const inOrder = async (chain: readonly PendingEvent[]): Promise<void> => {
    for (const event of chain) {
      try {
        published.push(await publish(js, event))
      } catch (error) {
        failures.push({ event, error })
        return
      }
    }
  }
  await Promise.all([...chains.values()].map(inOrder))
  return { published, failures }
}

async function tidyUp(db: Queryable, metrics: EventMetrics): Promise<void> {
  await deleteOldOutboxEvents(db)
  const backlog = await outboxBacklog(db)
  metrics.outboxWaiting.set(backlog.waiting)
  metrics.outboxOldestSeconds.set(backlog.oldestSeconds)
}

async function publish(js: JetStreamClient, event: PendingEvent): Promise<PublishedEvent> {
  const ack = await js.publish(event.subject, event.payload, {
    msgID: event.id,
    headers: toNatsHeaders(event.headers),
    timeout: 5_000,
  })
  return { seq: event.seq, stream: ack.stream, streamSeq: ack.seq }
}

/** Headers of a message, from plain pairs. */
export function toNatsHeaders(pairs: Record<string, string>): MsgHdrs {
  const headers = natsHeaders()
  for (const [name, value] of Object.entries(pairs)) headers.set(name, value)
  return headers
}
