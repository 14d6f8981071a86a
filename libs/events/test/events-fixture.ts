import { consumers, streams, type PublishedEventType } from '@frontdesk/contracts'
import { openPool, transaction, type Pool } from '@frontdesk/database'
import { throwAwayDatabase, throwAwayNats, type ThrowAwayNats } from '@frontdesk/testing'
import { pino, type Logger } from 'pino'
import { Registry } from 'prom-client'
import { v7 as uuidv7 } from 'uuid'
import {
  appendToOutbox,
  createEventMetrics,
  openBus,
  ownedBy,
  provisionStreams,
  startRelay,
  type Bus,
  type OutgoingEvent,
  type Relay,
} from '../src/index.ts'

export interface EventsFixture extends AsyncDisposable {
  pool: Pool
  nats: ThrowAwayNats
  bus: Bus
  databaseUrl: string
  /** Starts a replica of the payments relay; `stop` ends it as SIGTERM would. */
  startReplica(options?: { log?: Logger }): Relay & { metrics: Registry; stop(): Promise<void> }
  /** Commits events as a service does, and wakes `relay`. */
  commit(events: OutgoingEvent[], relay?: Relay): Promise<void>
  /** Returns the events on EVT_PAYMENTS, in stream order, as `recordId:type`. */
  published(): Promise<string[]>
  /** How many events of the outbox are not published. */
  waiting(): Promise<number>
}

export const log = pino({ level: 'fatal' })

/** Opens a database, a broker with the streams of payments, and a bus. */
export async function openEventsFixture(): Promise<EventsFixture> {
  const stack = new AsyncDisposableStack()
  const database = stack.use(await throwAwayDatabase('accounts'))
  const nats = stack.use(await throwAwayNats())
  const pool = openPool({ url: database.url, name: 'events test' })
  stack.defer(() => pool.end())
  const bus = stack.use(openBus({ settings: nats.settings(), name: 'payments', log }))
  const owned = ownedBy('payments', { streams, consumers: Object.values(consumers) })
  await provisionStreams(await bus.connection(), streams, owned.consumers)
  return {
    pool,
    nats,
    bus,
    databaseUrl: database.url,
    startReplica(options = {}) {
      const stop = new AbortController()
      const metrics = new Registry()
      const relay = startRelay({
        service: 'payments',
        databaseUrl: database.runtimeUrl,
        bus,
        log: options.log ?? log,
        metrics: createEventMetrics(metrics),
        signal: stop.signal,
      })
      stack.defer(async () => {
        stop.abort()
        await relay.stopped
      })
      return {
        ...relay,
        metrics,
        async stop() {
          stop.abort()
          await relay.stopped
        },
      }
    },
    async commit(events, relay) {
      await transaction(pool, (tx) =>
        appendToOutbox(tx, { service: 'payments', publicUrl: 'http://localhost' }, events),
      )
      relay?.wake()
    },
    async published() {
      const manager = await bus.manager()
      const { state } = await manager.streams.info('EVT_PAYMENTS')
      const stream = await (await bus.jetstream()).streams.get('EVT_PAYMENTS')
      const found: string[] = []
      for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq++) {
        const message = await stream.getMessage({ seq })
        if (message === null) continue
        const event = JSON.parse(Buffer.from(message.data).toString()) as { subject: string; type: string }
        found.push(`${event.subject}:${event.type}`)
      }
      return found
    },
    async waiting() {
      const { rows } = await pool.query('select count(*)::int as waiting from outbox where published_at is null')
      return rows[0].waiting
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Returns an outcome of a payment; `version` is its place among the payment's events. */
export function outcome(
  recordId: string,
  version: number,
  type: PublishedEventType = 'payment.succeeded',
): OutgoingEvent {
  const common = { recordId, paymentProvider: 'Sandbox' as const }
  const data =
    type === 'payment.failed' ? { ...common, failureReason: 'declined' } : { ...common, currency: 'GBP', amount: 4500 }
  return {
    type,
    aggregate: { type: 'payment', id: recordId, version },
    data,
    time: new Date(),
    site: {
      siteSlug: 'sAbc123',
      organisationSlug: 'oAbc1',
      billingOrganisationSlug: 'oAbc1',
      product: 'Dentally',
      pmsSpecificId: '1',
    },
  }
}

export const newId = (): string => uuidv7()
