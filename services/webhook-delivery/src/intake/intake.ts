import { setTimeout as wait } from 'node:timers/promises'
import type { Consumer } from '@frontdesk/contracts'
import { isUnavailable, type Pool } from '@frontdesk/database'
import { deadLetter, messages, PermanentError, type Bus, type EventMetrics } from '@frontdesk/events'
import type { JsMsg } from '@nats-io/jetstream'
import type { Logger } from 'pino'
import type { DeliveryMetrics } from '../metrics.ts'
import { timeOfId } from '../partitions/days.ts'
import type { Partitions } from '../partitions/maintenance.ts'
import type { DatabaseClock } from '../sending/clock.ts'
import type { HeldDelivery } from '../sending/held.ts'
import type { Lanes } from '../sending/lanes.ts'
import { readIncoming, type IncomingEvent } from './incoming.ts'
import { receiveEvents, type MadeDelivery } from './store.ts'

const largestBatch = 500
const largestBatchBytes = 8 * 1024 * 1024
// A little patience makes one statement of what arrives together; nobody notices it.
const lingerMs = 2

export interface IntakeOptions {
  consumer: Consumer
  bus: Bus
  pool: Pool
  partitions: Partitions
  lanes: Lanes
  clock: DatabaseClock
  leaseMs: number
  newClaimId: () => string
  log: Logger
  metrics: EventMetrics & DeliveryMetrics
  /** Deliveries that were made to wait in Postgres: when the scanner has to look. */
  onWaiting: (made: readonly (MadeDelivery & { rank: number })[]) => void
  signal: AbortSignal
}

interface Received {
  message: JsMsg
  event: IncomingEvent
}

/**
 * Takes events from a stream in batches: one statement stores them and makes their deliveries, the commit is acknowledged,
 * and what is leased goes out from memory. Settles after `signal` has aborted and the batch at hand is done.
 */
export async function runIntake(options: IntakeOptions): Promise<void> {
  const { consumer, signal } = options
  const batcher = createBatcher(options)
  for await (const message of messages(options, largestBatch * 2)) {
    const event = await parsed(options, message)
    if (event !== undefined) await batcher.add({ message, event })
    if (signal.aborted) break
  }
  await batcher.finish()
  options.log.debug({ consumer: consumer.name }, 'intake stopped')
}

/** Collects messages while the last batch is being stored, so that batches grow with the load. */
function createBatcher(options: IntakeOptions) {
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
    storing = storeBatch(options, taken).finally(() => {
      storing = undefined
      if (batch.length > 0) start()
    })
  }

  return {
    /** Resolves when there is room for more: the stream is not read faster than Postgres takes it. */
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

async function parsed(options: IntakeOptions, message: JsMsg): Promise<IncomingEvent | undefined> {
  const { consumer } = options
  try {
    const storedAt = message.info.timestampNanos / 1_000_000
    const messageId = message.headers?.get('Nats-Msg-Id') || undefined
    return readIncoming({ payload: message.data, messageId, storedAt }, options.clock.now())
  } catch (error) {
    options.log.error(
      { err: error, consumer: consumer.name, subject: message.subject, seq: message.seq },
      'dead letter',
    )
    await buried(options, message, error)
    return undefined
  }
}

async function buried(options: IntakeOptions, message: JsMsg, reason: unknown): Promise<void> {
  const outcome = await deadLetter(
    { bus: options.bus, service: 'webhook-delivery', consumer: options.consumer },
    message,
    reason,
  ).then(
    () => 'dead_letter',
    () => 'retried',
  )
  if (outcome === 'retried') message.nak(5_000)
  options.metrics.consumed.inc({ consumer: options.consumer.name, outcome })
}

/** Stores a batch and acknowledges it. While Postgres is away it is held, the broker told so, and nothing more pulled. */
async function storeBatch(options: IntakeOptions, batch: readonly Received[]): Promise<void> {
  const { consumer, log, signal } = options
  const heartbeat = setInterval(() => batch.forEach(({ message }) => message.working()), consumer.ackWaitMs / 3)
  try {
    for (;;) {
      try {
        await storeOnce(options, batch)
        return
      } catch (error) {
        if (isUnavailable(error) || signal.aborted) {
          if (signal.aborted) return
          log.warn({ err: error, held: batch.length }, 'Postgres is away; the batch is held')
          await wait(500, undefined, { signal }).catch(() => {})
        } else if (batch.length > 1) {
          // One of them is at fault; by itself it takes no others along.
          for (const one of batch) await storeBatch(options, [one])
          return
        } else return await refused(options, batch, error)
      }
    }
  } finally {
    clearInterval(heartbeat)
  }
}

async function refused(options: IntakeOptions, [received]: readonly Received[], error: unknown): Promise<void> {
  if (received === undefined) return
  const { message } = received
  // Class 22: the event's own data cannot be stored, however often it comes.
  const isPermanent = error instanceof Error && 'code' in error && String(error.code).startsWith('22')
  options.log.error({ err: error, seq: message.seq, isPermanent }, 'an event could not be stored')
  if (isPermanent || message.info.deliveryCount >= 10)
    await buried(options, message, new PermanentError('cannot be stored', { cause: error }))
  else message.nak(5_000)
}

async function storeOnce(options: IntakeOptions, batch: readonly Received[]): Promise<void> {
  const { pool, partitions, lanes, clock, leaseMs, metrics, signal } = options
  // Faster than receivers answer would only fill memory: the stream is where events wait best.
  while (lanes.isBusy() && !signal.aborted) await wait(2)
  const events = batch.map(({ event }) => event)
  await partitions.ensure(events.map((event) => timeOfId(event.eventId)))
  const claimId = options.newClaimId()
  const askedAt = performance.now()
  const intake = await receiveEvents(pool, events, { claimId, leaseMs, closedEndpoints: lanes.closedToIntake() })
  clock.set(intake.now, askedAt)
  for (const { message } of batch) message.ack()
  metrics.consumed.inc({ consumer: options.consumer.name, outcome: 'handled' }, batch.length)
  metrics.received.inc({ outcome: 'fresh' }, intake.fresh)
  metrics.received.inc({ outcome: 'duplicate' }, batch.length - intake.fresh)
  if (intake.made.length === 0) return

  const byId = new Map(events.map((event) => [event.eventId, event]))
  const leased: HeldDelivery[] = []
  const waiting: (MadeDelivery & { rank: number })[] = []
  for (const made of intake.made) {
    const event = byId.get(made.eventId)
    if (event === undefined) continue
    if (made.leased) leased.push(heldDelivery(made, event, claimId, askedAt + leaseMs))
    else if (made.state === 'pending') waiting.push({ ...made, rank: event.rank })
    else metrics.ended.inc({ state: made.state })
  }
  metrics.created.inc({ path: 'memory' }, leased.length)
  metrics.created.inc({ path: 'parked' }, waiting.length)
  if (leased.length > 0) lanes.accept(leased, 'intake')
  if (waiting.length > 0) options.onWaiting(waiting)
}

function heldDelivery(made: MadeDelivery, event: IncomingEvent, claimId: string, leasedUntil: number): HeldDelivery {
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
