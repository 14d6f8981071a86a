import { setTimeout as wait } from 'node:timers/promises'
import type { Consumer } from '@frontdesk/contracts'
import { isUnavailable, type Pool } from '@frontdesk/database'
import { deadLetter, messages, PermanentError, type Bus, type EventMetrics } from '@frontdesk/events'
import type { JsMsg } from '@nats-io/jetstream'
import type { Logger } from 'pino'
import type { DatabaseClock } from '../database-clock.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { timeOfId } from '../event-ids.ts'
import type { LeasedDelivery } from '../leases/leased.ts'
import type { DeliveryMetrics } from '../metrics.ts'
import type { Partitions } from '../partitions/partitions.ts'
import type { Signals } from '../signals.ts'
import { readIncoming, type IncomingEvent } from './incoming.ts'
import { receiveEvents, type MadeDelivery } from './store.ts'

const largestBatch = 500
const largestBatchBytes = 8 * 1024 * 1024
// A short wait, so that events which arrive together share one statement.
const lingerMs = 2

export interface IntakeDeps {
  consumer: Consumer
  bus: Bus
  pool: Pool
  partitions: Partitions
  dispatcher: Dispatcher
  clock: DatabaseClock
  leaseMs: number
  newClaimId: () => string
  log: Logger
  metrics: EventMetrics & DeliveryMetrics
  signals: Signals
  signal: AbortSignal
}

interface Received {
  message: JsMsg
  event: IncomingEvent
}

/**
 * Takes events from a stream in batches. One statement stores a batch and makes its deliveries, then the messages are
 * acknowledged, and the leased deliveries go to the dispatcher. Settles after `signal` has aborted and the present batch
 * is done.
 */
export async function runIntake(deps: IntakeDeps): Promise<void> {
  const { consumer, signal } = deps
  const batcher = createBatcher(deps)
  for await (const message of messages(deps, largestBatch * 2)) {
    const event = await readMessage(deps, message)
    if (event !== undefined) await batcher.add({ message, event })
    if (signal.aborted) break
  }
  await batcher.finish()
  deps.log.debug({ consumer: consumer.name }, 'intake stopped')
}

/** Collects messages while the previous batch is being stored, so that batches grow with the load. */
function createBatcher(deps: IntakeDeps) {
  let batch: Received[] = []
  let bytes = 0
  let storing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    if (storing !== undefined || batch.length === 0) return
    const taken = batch
    batch = []
    bytes = 0
    storing = storeBatch(deps, taken).finally(() => {
      storing = undefined
      if (batch.length > 0) start()
    })
  }

  return {
    /** Resolves when there is room for more: the stream is read no faster than Postgres stores it. */
    async add(received: Received): Promise<void> {
      batch.push(received)
      bytes += received.event.payload.byteLength
      const isFull = batch.length >= largestBatch || bytes >= largestBatchBytes
      if (!isFull) timer ??= setTimeout(start, lingerMs)
      else {
        await storing
        start()
      }
    },
    async finish(): Promise<void> {
      while (storing !== undefined || batch.length > 0) {
        start()
        await storing
      }
      clearTimeout(timer)
    },
  }
}

async function readMessage(deps: IntakeDeps, message: JsMsg): Promise<IncomingEvent | undefined> {
  const { consumer } = deps
  try {
    const storedAt = message.info.timestampNanos / 1_000_000
    const messageId = message.headers?.get('Nats-Msg-Id') || undefined
    return readIncoming({ payload: message.data, messageId, storedAt }, deps.clock.now())
  } catch (error) {
    deps.log.error({ err: error, consumer: consumer.name, subject: message.subject, seq: message.seq }, 'dead letter')
    await bury(deps, message, error)
    return undefined
  }
}

async function bury(deps: IntakeDeps, message: JsMsg, reason: unknown): Promise<void> {
  const outcome = await deadLetter(
    { bus: deps.bus, service: 'webhook-delivery', consumer: deps.consumer },
    message,
    reason,
  ).then(
    () => 'dead_letter',
    () => 'retried',
  )
  if (outcome === 'retried') message.nak(5_000)
  deps.metrics.consumed.inc({ consumer: deps.consumer.name, outcome })
}

/** Stores a batch and acknowledges it. While Postgres is away the batch waits, the broker is told, and nothing more is pulled. */
async function storeBatch(deps: IntakeDeps, batch: readonly Received[]): Promise<void> {
  const { consumer, log, signal } = deps
  const working = setInterval(() => batch.forEach(({ message }) => message.working()), consumer.ackWaitMs / 3)
  try {
    for (;;) {
      try {
        await storeOnce(deps, batch)
        return
      } catch (error) {
        if (isUnavailable(error) || signal.aborted) {
          if (signal.aborted) return
          log.warn({ err: error, events: batch.length }, 'Postgres is away; the batch waits')
          await wait(500, undefined, { signal }).catch(() => {})
        } else if (batch.length > 1) {
          // One event is at fault; stored one by one, the others are not held up.
          for (const one of batch) await storeBatch(deps, [one])
          return
        } else return await refuse(deps, batch, error)
      }
    }
  } finally {
    clearInterval(working)
  }
}

async function refuse(deps: IntakeDeps, [received]: readonly Received[], error: unknown): Promise<void> {
  if (received === undefined) return
  const { message } = received
  // Class 22 (data exception): the event itself cannot be stored, however often it comes.
  const isPermanent = error instanceof Error && 'code' in error && String(error.code).startsWith('22')
  deps.log.error({ err: error, seq: message.seq, isPermanent }, 'an event could not be stored')
  if (isPermanent || message.info.deliveryCount >= 10)
    await bury(deps, message, new PermanentError('cannot be stored', { cause: error }))
  else message.nak(5_000)
}

async function storeOnce(deps: IntakeDeps, batch: readonly Received[]): Promise<void> {
  const { pool, partitions, dispatcher, clock, leaseMs, signals, metrics, signal } = deps
  // Storing events faster than receivers answer would only fill memory: they wait best in the stream.
  while (dispatcher.isBusy() && !signal.aborted) await wait(2)
  const events = batch.map(({ event }) => event)
  await partitions.ensure(events.map((event) => timeOfId(event.eventId)))
  const claimId = deps.newClaimId()
  const askedAt = performance.now()
  const intake = await receiveEvents(pool, events, { claimId, leaseMs, closedEndpoints: dispatcher.closedToIntake() })
  clock.set(intake.now, askedAt)
  for (const { message } of batch) message.ack()
  metrics.consumed.inc({ consumer: deps.consumer.name, outcome: 'handled' }, batch.length)
  metrics.received.inc({ outcome: 'fresh' }, intake.fresh)
  metrics.received.inc({ outcome: 'duplicate' }, batch.length - intake.fresh)
  if (intake.made.length === 0) return

  const byId = new Map(events.map((event) => [event.eventId, event]))
  const leased: LeasedDelivery[] = []
  let waiting = 0
  for (const made of intake.made) {
    const event = byId.get(made.eventId)
    if (event === undefined) continue
    if (made.leased) leased.push(leasedDelivery(made, event, claimId, askedAt + leaseMs))
    else if (made.state === 'pending') {
      waiting++
      const { subscriptionId, endpointId, dueInMs } = made
      signals.emit('waiting', { subscriptionId, endpointId, rank: event.rank, waitMs: dueInMs })
    } else metrics.ended.inc({ state: made.state })
  }
  metrics.created.inc({ path: 'memory' }, leased.length)
  metrics.created.inc({ path: 'parked' }, waiting)
  if (leased.length > 0) dispatcher.accept(leased, 'intake')
}

function leasedDelivery(
  made: MadeDelivery,
  event: IncomingEvent,
  claimId: string,
  leasedUntil: number,
): LeasedDelivery {
  return {
    subscriptionId: made.subscriptionId,
    eventId: made.eventId,
    claimId,
    endpointId: made.endpointId,
    version: made.version,
    failing: made.failing,
    rank: event.rank,
    manual: false,
    attempts: 0,
    step: 0,
    payload: event.payload,
    traceparent: event.traceparent,
    expiresAt: event.expiresAt,
    leasedUntil,
  }
}
