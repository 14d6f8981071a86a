import { setTimeout as wait } from 'node:timers/promises'
import type { Consumer } from '@frontdesk/contracts'
import { isDatabaseFault, isDataException, isDeadlock, type Pool } from '@frontdesk/database'
import {
  backoffMs,
  createHolding,
  createSettingAside,
  dropForged,
  ForgedEvent,
  messages,
  PermanentError,
  UnknownEvent,
  watchDeadLetters,
  type Bus,
  type EventMetrics,
  type Holding,
} from '@frontdesk/events'
import { watchLoop, type Loop } from '@frontdesk/service/background'
import type { JsMsg } from '@nats-io/jetstream'
import type { Logger } from 'pino'
import type { DatabaseClock } from '../database-clock.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { timeOfId } from '../event-ids.ts'
import type { LeasedDelivery } from '../leases/leased.ts'
import type { DeliveryMetrics } from '../metrics.ts'
import type { Partitions } from '../partitions/partitions.ts'
import type { Signals } from '../signals.ts'
import { createSiteEndpoints, type SiteEndpoints } from './site-endpoints.ts'
import { incomingMessage, readIncoming, type IncomingEvent } from './incoming.ts'
import { receiveEvents, type MadeDelivery } from './store.ts'

const largestBatch = 500
const largestBatchBytes = 8 * 1024 * 1024
// A short wait, so that events which arrive together share one statement.
const lingerMs = 2
const longestPauseMs = 5_000
/** Failing statements that a batch may cost before the rest of it is given back unsplit. */
const mostSplits = 32

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

interface Intake extends IntakeDeps {
  siteEndpoints: SiteEndpoints
  loop: Loop
  holding: Holding
  setAside: (message: JsMsg, reason: unknown) => Promise<void>
}

/**
 * Takes events from a stream in batches. One statement stores a batch and makes its deliveries, then the messages are
 * acknowledged, and the leased deliveries go to the dispatcher. Settles after `signal` has aborted and the present batch
 * is done.
 */
export async function runIntake(deps: IntakeDeps): Promise<void> {
  const { consumer, pool: db, signal } = deps
  const holding = createHolding(deps)
  const loop = watchLoop(`the intake of ${consumer.name}`, 600_000, signal)
  const intake = {
    ...deps,
    siteEndpoints: createSiteEndpoints(),
    loop,
    holding,
    setAside: createSettingAside({ ...deps, db, holding }),
  }
  const counted = watchDeadLetters({ ...deps, db }, signal)
  const batcher = createBatcher(intake)
  for await (const message of messages({ ...deps, db }, largestBatch * 2)) {
    const event = await readMessage(intake, message)
    if (event !== undefined) await batcher.add({ message, event })
    if (signal.aborted) break
  }
  await batcher.finish()
  await counted
  deps.log.debug({ consumer: consumer.name }, 'intake stopped')
}

/** Collects messages while the previous batch is being stored, so that batches grow with the load. */
function createBatcher(deps: Intake) {
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

/** Returns the event of a message; undefined if the message is settled already, because it has none for us. */
async function readMessage(deps: Intake, message: JsMsg): Promise<IncomingEvent | undefined> {
  const { consumer, clock, holding, metrics } = deps
  try {
    return readIncoming(incomingMessage(message), clock.now())
  } catch (error) {
    if (error instanceof UnknownEvent) {
      message.ack()
      holding.release([message])
      metrics.consumed.inc({ consumer: consumer.name, outcome: 'ignored' })
    } else if (error instanceof ForgedEvent) dropForged(deps, message, error)
    else if (error instanceof PermanentError) await deps.setAside(message, error)
    else holding.giveBack(message, error)
    return undefined
  }
}

/**
 * Stores a batch and acknowledges it. While the database is at fault the batch waits, the broker is told, and nothing more
 * is pulled. A batch that fails otherwise is split until the events at fault are found.
 */
async function storeBatch(deps: Intake, batch: readonly Received[]): Promise<void> {
  const { consumer, loop } = deps
  const working = setInterval(() => batch.forEach(({ message }) => message.working()), consumer.ackWaitMs / 3)
  try {
    await storeSplit(deps, batch, { splits: mostSplits })
  } finally {
    clearInterval(working)
    loop.rest()
  }
}

/** Stores a batch, or finds in it by halves what Postgres refuses: bad values become dead letters, the rest is given back. */
async function storeSplit(deps: Intake, batch: readonly Received[], budget: { splits: number }): Promise<void> {
  const { holding, setAside, signal } = deps
  const [first] = batch
  if (first === undefined) return
  const error = await storeHeld(deps, batch)
  if (error === undefined || signal.aborted) return
  if (batch.length === 1 && isDataException(error)) return await setAside(first.message, error)
  // Only bad values are surely one event's own fault. If everything fails, splitting would multiply the statements.
  if (batch.length === 1 || (!isDataException(error) && --budget.splits < 0)) {
    for (const { message } of batch) holding.giveBack(message, error)
    return
  }
  const middle = batch.length >> 1
  await storeSplit(deps, batch.slice(0, middle), budget)
  await storeSplit(deps, batch.slice(middle), budget)
}

/** Stores a batch; tries again while the database is at fault. Returns the error that is none of the database. */
async function storeHeld(deps: Intake, batch: readonly Received[]): Promise<unknown> {
  const { holding, signal } = deps
  const all = batch.map(({ message }) => message)
  for (let tries = 1; ; tries++) {
    deps.loop.turn()
    try {
      await storeOnce(deps, batch)
      holding.release(all)
      return undefined
    } catch (error) {
      if (signal.aborted || !(isDatabaseFault(error) || isDeadlock(error))) return error
      if (isDeadlock(error) && tries < 5) continue
      holding.keep(all, error)
      await wait(backoffMs(tries, longestPauseMs) / 2, undefined, { signal }).catch(() => {})
    }
  }
}

async function storeOnce(deps: Intake, batch: readonly Received[]): Promise<void> {
  const { pool, partitions, dispatcher, clock, leaseMs, signals, metrics, signal } = deps
  // Storing events faster than receivers answer would only fill memory: they wait best in the stream.
  while (dispatcher.isBusy() && !signal.aborted) await wait(2)
  const events = batch.map(({ event }) => event)
  await partitions.ensure(events.map((event) => timeOfId(event.eventId)))
  const claimId = deps.newClaimId()
  const askedAt = performance.now()
  const terms = dispatcher.intakeTerms(deps.siteEndpoints.of(events))
  const intake = await receiveEvents(pool, events, { claimId, leaseMs, ...terms })
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
    deps.siteEndpoints.add(event, made.endpointId)
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
