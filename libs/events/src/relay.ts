import { setTimeout as wait } from 'node:timers/promises'
import { leadWhenElected, type Queryable } from '@frontdesk/database'
import type { JetStreamClient } from '@nats-io/jetstream'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
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
 * Least time between the starts of two rounds that publish. Events committed meanwhile share a round, which halves the
 * round trips to Postgres at 400 events/s. The first event after a pause does not wait.
 */
const minRoundMs = 10
const tidyEveryMs = 60_000
const longestBackoffMs = 5_000
// The outbox is read and marked by index scans only. A plan made while the table was small would later read the whole
// table each time, and a bitmap scan would visit the index entries of events published long ago.
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
  /** Makes the replica that holds the leader lock publish at once. Call it after a commit to the outbox. Never waits. */
  wake(): void
  /** Settles when the relay has stopped after `signal` aborted. */
  stopped: Promise<void>
}

/**
 * Moves committed outbox rows to JetStream. In each service one replica holds the leader lock and publishes, woken by its
 * own process, by a core-NATS nudge or by a poll. It keeps the order of each aggregate: an event waits for the PubAck of
 * the one before.
 */
export function startRelay({ service, databaseUrl, bus, log, metrics, signal }: RelayOptions): Relay {
  const nudgeSubject = `nudge.${service}.relay`
  const alarm = createAlarm()
  let holdsLeaderLock = false

  bus
    .connection()
    .then((connection) => connection.subscribe(nudgeSubject, { callback: alarm.ring }))
    .catch((error: unknown) => log.debug({ err: error }, 'relay nudges are off'))
  const offConnect = bus.onConnect(alarm.ring)

  async function lead(db: Queryable, until: AbortSignal): Promise<void> {
    holdsLeaderLock = true
    metrics.relayLeading.set(1)
    log.info('the outbox relay holds the leader lock')
    try {
      await publishUntil(until, { db, bus, log, metrics, alarm })
    } finally {
      holdsLeaderLock = false
      metrics.relayLeading.set(0)
    }
  }

  const onError = (error: unknown) => log.warn({ err: error }, 'the relay lost its database connection; trying again')
  const stopped = leadWhenElected(
    { url: databaseUrl, name: `${service} relay`, signal, settings: relaySettings, onError },
    lead,
  ).finally(offConnect)

  return {
    wake() {
      if (holdsLeaderLock) alarm.ring()
      else bus.nudge(nudgeSubject)
    },
    stopped,
  }
}

interface Alarm {
  ring: () => void
  /** Forgets earlier rings. Call it before reading the events that they announced. */
  silence(): void
  /** Waits until it rings, `until` aborts or the time is over. Returns at once if it rang since `silence`. */
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
      // Without an AbortController: creating one for each wait took a twentieth of the process's time.
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
    const early = minRoundMs - (performance.now() - startedAt)
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
  // Bounded by the poll: while the broker is unavailable the connection to Postgres must not idle out.
  await untilConnected(bus, AbortSignal.any([until, AbortSignal.timeout(idlePollMs)]))
  if (!bus.isConnected()) return { published: 0, failed: true }
  const js = await bus.jetstream()
  const { published, failures } = await publishChains(js, pending)
  if (published.length > 0) await markPublished(db, published)
  const [first] = failures
  if (first !== undefined) {
    // After a time-out the event may be stored. It is published again under the same message id.
    const { event, error } = first
    log.warn({ err: error, eventId: event.id, subject: event.subject, failures: failures.length }, 'publishing failed')
    metrics.publishFailures.inc(failures.length)
    await recordPublishFailure(db, event.seq, error instanceof Error ? error.message : String(error))
  }
  return { published: published.length, failed: failures.length > 0 }
}

interface Failure {
  event: PendingEvent
  error: unknown
}

/** Publishes the aggregates in parallel, each one's events in order. A failure only stops its own aggregate. */
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

/** Returns the client's form of message headers. */
export function toNatsHeaders(pairs: Record<string, string>): MsgHdrs {
  const result = headers()
  for (const [name, value] of Object.entries(pairs)) result.set(name, value)
  return result
}
