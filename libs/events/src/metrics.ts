import { Counter, Gauge, type Registry } from 'prom-client'

export type EventMetrics = ReturnType<typeof createEventMetrics>

/** Registers the metrics of outbox, relay and consumers; once per process. */
export function createEventMetrics(registry: Registry) {
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
      help: 'Committed events that are not published yet',
      registers,
    }),
    outboxOldestSeconds: new Gauge({
      name: 'outbox_oldest_seconds',
      help: 'Age of the oldest event that is not published yet',
      registers,
    }),
    consumed: new Counter({
      name: 'events_consumed_total',
      help: 'Messages by consumer and outcome',
      labelNames: ['consumer', 'outcome'] as const,
      registers,
    }),
  }
}
