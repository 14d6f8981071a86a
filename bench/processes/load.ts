import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { openPool, transaction, type Pool } from '@frontdesk/database'
import {
  composeEvent,
  insertOutboxEvents,
  type EventOrigin,
  type EventSite,
  type OutboxEvent,
  connectNats,
  type NatsSettings,
} from '@frontdesk/events'
import type { NatsConnection } from '@nats-io/transport-node'
import { sharedNow } from '../harness/clock.ts'
import { serveRemote } from '../harness/remote.ts'

/** The result of a load. */
export interface Committed {
  /** Ids of the events whose commit returned, and when (shared milliseconds). */
  ids: string[]
  at: Float64Array
  /** Commits that threw; they may have happened. */
  failed: number
  /** The longest delay of a commit behind the schedule, in milliseconds. */
  latestMs: number
}

export interface Steady {
  sites: readonly EventSite[]
  perSecond: number
  seconds: number
}

export type LoadMethods = typeof methods

/** About the size of the interface's largest payment event; the envelope with all attributes takes 750 bytes of it. */
const eventBytes = 1_024
// libs/events: the subject on which a replica of payments wakes the relay in the replica that holds the leader lock.
const relayNudge = 'nudge.payments.relay'

let pool: Pool
let connection: NatsConnection
let origin: EventOrigin
let padding = ''

function newEvent(site: EventSite | undefined): OutboxEvent {
  const recordId = crypto.randomUUID()
  const event = composeEvent(origin, {
    type: 'payment.succeeded',
    aggregate: { type: 'payment', id: recordId, version: 1 },
    data: { currency: 'GBP', amount: 4_500, reference: `INV-${padding}`, recordId, paymentProvider: 'Sandbox' },
    time: new Date(),
    ...(site === undefined ? {} : { site }),
    traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
  })
  if (padding === '') padding = 'x'.repeat(eventBytes - event.payload.byteLength)
  return event
}

const methods = {
  async open(options: { databaseUrl: string; nats: NatsSettings; publicUrl: string; site: EventSite }): Promise<void> {
    // A long timeout: an event that waits for a connection is late, not lost.
    pool = openPool({ url: options.databaseUrl, name: 'bench load', size: 16, connectTimeoutMs: 30_000 })
    connection = await connectNats(options.nats, { name: 'bench load', maxReconnectAttempts: -1 })
    origin = { service: 'payments', publicUrl: options.publicUrl }
    newEvent(options.site)
  },

  /** Appends events as fast as the outbox takes them, in transactions of 500, site after site. */
  async bulk(sites: readonly EventSite[], count: number): Promise<void> {
    for (let done = 0; done < count; done += 500) {
      const size = Math.min(500, count - done)
      const events = Array.from({ length: size }, (_, index) => newEvent(sites[(done + index) % sites.length]))
      await transaction(pool, (tx) => insertOutboxEvents(tx, events))
      connection.publish(relayNudge)
    }
  },

  /**
   * Commits events one by one on a fixed schedule, without waiting for earlier ones (an open loop). Each is a separate
   * transaction, after which the relay is woken as by a replica of payments that does not hold the leader lock.
   */
  async steady({ sites, perSecond, seconds }: Steady): Promise<Committed> {
    const count = Math.round(perSecond * seconds)
    const committed: { id: string; at: number }[] = []
    let failed = 0
    let latestMs = 0

    async function commit(index: number): Promise<void> {
      const event = newEvent(sites[index % sites.length])
      try {
        await transaction(pool, (tx) => insertOutboxEvents(tx, [event]))
        committed.push({ id: event.id, at: sharedNow() })
        connection.publish(relayNudge)
      } catch {
        failed++
      }
    }

    const startedAt = performance.now()
    const begun: Promise<void>[] = []
    while (begun.length < count) {
      const elapsed = performance.now() - startedAt
      const due = Math.min(count, Math.floor((elapsed * perSecond) / 1_000) + 1)
      if (begun.length < due) latestMs = Math.max(latestMs, elapsed - (begun.length * 1_000) / perSecond)
      while (begun.length < due) begun.push(commit(begun.length))
      await wait(1)
    }
    await Promise.all(begun)
    return { ids: committed.map(({ id }) => id), at: Float64Array.from(committed, ({ at }) => at), failed, latestMs }
  },
}

serveRemote(methods)
