import { Counter, Gauge, type Registry } from 'prom-client'
import type { Bus } from './bus.ts'

/** How a replica stands to one of its durable consumers. */
export interface ConsumerState {
  bound: boolean
  /** Messages of the stream that were not delivered yet; undefined while that is unknown. */
  pending: number | undefined
}

/** Returns the state of each consumer of the process, for the body of `/readyz`. */
export function consumerStates(metrics: EventMetrics): Record<string, ConsumerState> {
  return Object.fromEntries(metrics.consumerStates)
}

export type EventMetrics = ReturnType<typeof createEventMetrics>

/** Registers whether NATS is connected, as the client of this process knows it at each scrape. Returns the bus. */
export function watchBus<B extends Pick<Bus, 'isConnected'>>(registry: Registry, bus: B): B {
  new Gauge({
    name: 'nats_up',
    help: '1 while this process is connected to NATS; else 0, and events wait in the outbox',
    registers: [registry],
    collect() {
      this.set(bus.isConnected() ? 1 : 0)
    },
  })
  return bus
}

/** Registers the metrics of outbox, relay and consumers; once per process. */
export function createEventMetrics(registry: Registry) {
  return { ...relayMetrics(registry), ...consumerMetrics(registry) }
}

function relayMetrics(registry: Registry) {
  const registers = [registry]
  return {
    relayLeading: new Gauge({ name: 'outbox_relay_leading', help: '1 in the relay with the leader lock', registers }),
    outboxPublished: new Counter({ name: 'outbox_published_total', help: 'Events published to JetStream', registers }),
    publishFailures: new Counter({
      name: 'outbox_publish_failures_total',
      help: 'Failed attempts to publish an event',
      registers,
    }),
    outboxWaiting: new Gauge({
      name: 'outbox_waiting',
      help: 'Committed events that are not published yet, counted every 10 s by the replica with the leader lock; 0 in the others',
      registers,
    }),
    outboxOldestSeconds: new Gauge({
      name: 'outbox_oldest_seconds',
      help: 'Age of the oldest event that is not published yet, read every 10 s by the replica with the leader lock; 0 in the others',
      registers,
    }),
    outboxRefused: new Counter({
      name: 'outbox_refused_total',
      help: 'Events set aside because the server can never take them',
      registers,
    }),
    outboxSetAside: new Gauge({
      name: 'outbox_set_aside',
      help: 'Events that are set aside until an operator deals with them, counted as outbox_waiting is',
      registers,
    }),
    outboxReplayed: new Counter({
      name: 'outbox_replayed_total',
      help: 'Events published again because their stream had lost them',
      labelNames: ['stream'] as const,
      registers,
    }),
    streamFill: new Gauge({
      name: 'events_stream_fill_ratio',
      help: 'Bytes of a stream by the most that it may have, 0 to 1, of the streams that the service publishes to; asked every 15 s by the replica with the leader lock, absent in the others',
      labelNames: ['stream'] as const,
      registers,
    }),
    outboxBackoffSeconds: new Gauge({
      name: 'outbox_backoff_seconds',
      help: 'Wait between two tries of a stream that takes no events; absent while it takes them',
      labelNames: ['stream'] as const,
      registers,
    }),
  }
}

function consumerMetrics(registry: Registry) {
  const registers = [registry]
  const labelNames = ['consumer'] as const
  const measures = new Map<string, () => { held: number; oldestSeconds: number }>()
  new Gauge({
    name: 'events_held',
    help: 'Messages that a consumer could not process yet and holds',
    labelNames,
    registers,
    collect() {
      for (const [consumer, measure] of measures) this.set({ consumer }, measure().held)
    },
  })
  new Gauge({
    name: 'events_held_oldest_seconds',
    help: 'Time since JetStream stored the oldest message that a consumer holds; 0 if it holds none',
    labelNames,
    registers,
    collect() {
      for (const [consumer, measure] of measures) this.set({ consumer }, measure().oldestSeconds)
    },
  })
  return {
    /** By name of consumer, for readiness. */
    consumerStates: new Map<string, ConsumerState>(),
    /** Measures what a consumer holds at each scrape. */
    heldBy: (consumer: string, measure: () => { held: number; oldestSeconds: number }) =>
      void measures.set(consumer, measure),
    deadLetters: new Gauge({
      name: 'dead_letters_open',
      help: 'Messages that a consumer has set aside (dead letters) and nobody has replayed',
      labelNames,
      registers,
    }),
    consumerBound: new Gauge({
      name: 'events_consumer_bound',
      help: '1 while this replica is bound to its consumer',
      labelNames: ['consumer'] as const,
      registers,
    }),
    consumerPending: new Gauge({
      name: 'events_consumer_pending',
      help: 'Messages of the stream that the consumer has not delivered yet: its lag',
      labelNames: ['consumer'] as const,
      registers,
    }),
    consumerAckPending: new Gauge({
      name: 'events_consumer_ack_pending',
      help: 'Messages delivered and not acknowledged yet',
      labelNames: ['consumer'] as const,
      registers,
    }),
    consumerRedelivered: new Gauge({
      name: 'events_consumer_redelivered',
      help: 'Messages delivered more than once and not acknowledged yet',
      labelNames: ['consumer'] as const,
      registers,
    }),
    consumersMade: new Counter({
      name: 'events_consumers_made_total',
      help: 'How often a consumer was missing, or ahead of its stream, and was made again',
      labelNames: ['consumer'] as const,
      registers,
    }),
    forged: new Counter({
      name: 'events_forged_total',
      help: 'Messages that a consumer has dropped because they do not say the same as their subject',
      labelNames: ['consumer'] as const,
      registers,
    }),
    consumed: new Counter({
      name: 'events_consumed_total',
      help: 'Messages by consumer and outcome: handled, ignored, held (once for each failure), dead_letter, forged',
      labelNames: ['consumer', 'outcome'] as const,
      registers,
    }),
  }
}
