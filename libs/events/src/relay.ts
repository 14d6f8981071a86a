import { setTimeout as wait } from 'node:timers/promises'
import { leadWhenElected, type Queryable } from '@frontdesk/database'
import type { Logger } from 'pino'
import { createAlarm, type Alarm } from './alarm.ts'
import { untilConnected, type Bus } from './bus.ts'
import type { EventMetrics } from './metrics.ts'
import { failureText, publishBatch, type BatchResult } from './relay-publish.ts'
import { createRoutes, type Routes } from './relay-routes.ts'
import {
  markPublished,
  outboxBacklog,
  pendingEvents,
  pendingKeys,
  recordPublishFailure,
  setAside,
} from './relay-store.ts'
import { createStreamGuard, type StreamGuard } from './relay-streams.ts'
import { createStreamMeasure } from './stream-fill.ts'

const pollMs = 250
const idlePollMs = 1000
/**
 * Least time between the starts of two rounds that publish. Events committed meanwhile share a round, which halves the
 * round trips to Postgres at 400 events/s. The first event after a pause does not wait.
 */
const minRoundMs = 10
const fullRound = 500
/** How long a round waits for a stream that answers slowly before it goes on with the others. */
const slowMs = 500
const measureEveryMs = 10_000
/** How soon events are found that an operator marked to be published again, below the relay's marks. */
const lookAgainEveryMs = 10_000
/**
 * The outbox is read and marked by index scans only. A plan made while the table was small would later read the whole
 * table each time, and a bitmap scan would visit the index entries of events published long ago. So there is one plan for
 * each statement, whatever its values: left to itself, Postgres plans the reading of the outbox again in every round,
 * because it takes the arrays of a plan without values to be longer than ours. That took longer than the reading.
 */
export const relaySettings = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
}

export interface RelayOptions {
  service: string
  databaseUrl: string
  bus: Bus
  log: Logger
  metrics: EventMetrics
  signal: AbortSignal
  /** Called whenever the relay's loop comes round, whether it holds the leader lock or not. */
  onTurn?: () => void
  /** The relay starts after this, such as the migration of its tables. It must not reject. */
  after?: Promise<unknown>
}

export interface Relay {
  /** Makes the replica that holds the leader lock publish at once. Call it after a commit to the outbox. Never waits. */
  wake(): void
  /** Whether this replica holds the leader lock: it also reads what one replica measures for all. */
  leads(): boolean
  /** Settles when the relay has stopped after `signal` aborted. */
  stopped: Promise<void>
}

/**
 * Moves committed outbox rows to JetStream. In each service one replica holds the leader lock and publishes, woken by its
 * own process, by a core-NATS nudge or by a poll. It keeps the order of each aggregate: an event waits for the PubAck of
 * the one before. A stream that fails is tried again after 250 ms to 30 s and delays no other stream.
 */
export function startRelay(options: RelayOptions): Relay {
  const { service, databaseUrl, bus, log, metrics, signal, after, onTurn = () => {} } = options
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
      await publishUntil(until, { service, db, bus, log, metrics, alarm, onTurn })
    } finally {
      holdsLeaderLock = false
      metrics.relayLeading.set(0)
      // The next leader measures them; two replicas would count them twice.
      metrics.outboxWaiting.set(0)
      metrics.outboxOldestSeconds.set(0)
      metrics.outboxSetAside.set(0)
      metrics.outboxBackoffSeconds.reset()
      metrics.streamFill.reset()
    }
  }

  const onError = (error: unknown) => log.warn({ err: error }, 'the relay lost its database connection; trying again')
  const elect = () =>
    leadWhenElected(
      { url: databaseUrl, name: `${service} relay`, signal, settings: relaySettings, onError, onAttempt: onTurn },
      lead,
    )
  const stopped = Promise.resolve(after).then(elect).finally(offConnect)

  return {
    wake() {
      if (holdsLeaderLock) alarm.ring()
      else bus.nudge(nudgeSubject)
    },
    leads: () => holdsLeaderLock,
    stopped,
  }
}

interface Leadership extends Pick<RelayOptions, 'service' | 'bus' | 'log' | 'metrics'> {
  db: Queryable
  alarm: Alarm
  onTurn: () => void
}

interface Publishing extends Leadership {
  routes: Routes
  guard: StreamGuard
  /** Batches of streams that answer slowly. */
  late: Set<Promise<unknown>>
}

async function publishUntil(until: AbortSignal, leadership: Leadership): Promise<void> {
  const { service, bus, alarm, metrics, onTurn } = leadership
  const routes = createRoutes(service)
  const guard = createStreamGuard(leadership)
  const publishing: Publishing = { ...leadership, routes, guard, late: new Set() }
  const offConnect = bus.onConnect(() => {
    routes.retryNow()
    guard.suspectAll()
  })
  const care = createCare(publishing)
  const measureStreams = createStreamMeasure(leadership, until)
  try {
    while (!until.aborted) {
      onTurn()
      alarm.silence()
      const startedAt = performance.now()
      await care()
      measureStreams()
      if (bus.isConnected()) await readLostEvents(publishing)
      const published = await publishRound(publishing, until)
      metrics.outboxPublished.inc(published)
      if (published >= fullRound) continue
      const early = minRoundMs - (performance.now() - startedAt)
      if (published > 0 && early > 0) await wait(early, undefined, { signal: until }).catch(() => {})
      const poll = published > 0 ? pollMs : idlePollMs * (0.8 + Math.random() * 0.2)
      await alarm.wait(Math.max(1, Math.min(poll, routes.nextTryMs())), until)
    }
  } finally {
    offConnect()
    await Promise.allSettled(publishing.late)
  }
}

/** Returns the work that is due between rounds: metrics, and a look at what lies below the marks. */
function createCare({ db, metrics, routes, guard }: Publishing): () => Promise<void> {
  let measuredAt = -Infinity
  let lookedAt = performance.now()
  return async () => {
    const now = performance.now()
    if (now - lookedAt > lookAgainEveryMs) {
      lookedAt = now
      routes.lookAgain(await pendingKeys(db))
      guard.suspectAll()
    }
    if (now - measuredAt > measureEveryMs) {
      measuredAt = now
      await guard.save()
      const backlog = await outboxBacklog(db, routes.all())
      metrics.outboxWaiting.set(backlog.waiting)
      metrics.outboxOldestSeconds.set(backlog.oldestSeconds)
      metrics.outboxSetAside.set(backlog.setAside)
    }
  }
}

/** Publishes what waits, each stream for itself. Returns how many events were published. */
async function publishRound(publishing: Publishing, until: AbortSignal): Promise<number> {
  const { db, bus, alarm, routes, late, log } = publishing
  const looks = routes.looks()
  if (looks.length === 0) return 0
  const pending = await pendingEvents(db, looks)
  routes.seen(pending)
  const waiting = [...pending.byKey].filter(([, events]) => events.length > 0)
  if (waiting.length === 0) return 0
  // Bounded by the poll: while the broker is unavailable the connection to Postgres must not idle out.
  if (!bus.isConnected()) await untilConnected(bus, AbortSignal.any([until, AbortSignal.timeout(idlePollMs)]))
  if (!bus.isConnected() || (await readLostEvents(publishing))) return 0
  const js = await bus.jetstream()

  const done: BatchResult[] = []
  let isLate = false
  const running = waiting.map(async ([key, events]) => {
    const result = await publishBatch(js, key, events)
    if (!isLate) return void done.push(result)
    try {
      await record(publishing, [result])
    } finally {
      routes.setBusy(key, false)
      alarm.ring()
    }
  })
  let timer: NodeJS.Timeout | undefined
  await Promise.race([Promise.all(running), new Promise((resolve) => (timer = setTimeout(resolve, slowMs)))])
  clearTimeout(timer)
  isLate = true
  for (const [index, [key]] of waiting.entries()) {
    const batch = running[index]
    if (batch === undefined || done.some((result) => result.key === key)) continue
    routes.setBusy(key, true)
    const settled: Promise<unknown> = batch
      .catch((error: unknown) => log.warn({ err: error }, 'published events could not be marked; they are repeated'))
      .finally(() => late.delete(settled))
    late.add(settled)
  }
  return await record(publishing, done)
}

/** Whether a stream has lost events. They are then read again, and published before anything new. */
async function readLostEvents({ guard, routes, late, log }: Publishing): Promise<boolean> {
  try {
    const lost = await guard.check(late.size > 0)
    if (lost) routes.lookAgain()
    return lost
  } catch (error) {
    // A relay without the right to ask still publishes.
    log.debug({ err: error }, 'the streams could not be compared with the outbox yet')
    return false
  }
}

/** Records the results of batches, in one statement for all published events. Returns how many were published. */
async function record(publishing: Publishing, results: readonly BatchResult[]): Promise<number> {
  const { db, guard, routes, log, metrics } = publishing
  const published = results.flatMap((result) => result.published)
  guard.acknowledged(published)
  if (published.length > 0) await markPublished(db, published)
  for (const { key, refused, failures } of results) {
    for (const { event, error } of refused) {
      const reason = failureText(error)
      log.error(
        { eventId: event.id, subject: event.subject, reason },
        'an event can never be published; it is set aside',
      )
      metrics.outboxRefused.inc()
      await setAside(db, event.seq, reason)
    }
    const [first] = failures
    if (first === undefined) {
      metrics.outboxBackoffSeconds.remove({ stream: key })
      if (routes.succeeded(key)) log.info({ stream: key }, 'events are published again')
      continue
    }
    // After a time-out the event may be stored. It is published again under the same message id.
    const { isFirst, backoffMs } = routes.failed(key)
    const reason = failureText(first.error)
    const { id: eventId, subject } = first.event
    if (isFirst)
      log.warn({ err: first.error, reason, stream: key, eventId, subject }, 'publishing failed; trying again')
    metrics.publishFailures.inc(failures.length)
    metrics.outboxBackoffSeconds.set({ stream: key }, backoffMs / 1000)
    await recordPublishFailure(db, first.event.seq, reason)
  }
  return published.length
}
