import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>

/** The metrics of the delivery engine, registered once per process. */
export function createDeliveryMetrics(registry: Registry) {
  const registers = [registry]
  /** A gauge that is measured at each scrape, by the function given to `by`. */
  const measured = (name: string, help: string) => {
    let measure = () => 0
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(measure()) })
    return { by: (source: () => number) => void (measure = source) }
  }
  return {
    received: new Counter({
      name: 'delivery_events_received_total',
      help: 'Events received, by first time or duplicate',
      labelNames: ['outcome'] as const,
      registers,
    }),
    created: new Counter({
      name: 'delivery_created_total',
      help: 'Deliveries made of events: sent from memory, or parked for the poller',
      labelNames: ['path'] as const,
      registers,
    }),
    attempts: new Counter({
      name: 'delivery_attempts_total',
      help: 'Requests to receivers by outcome',
      labelNames: ['outcome'] as const,
      registers,
    }),
    ended: new Counter({
      name: 'delivery_ended_total',
      help: 'Deliveries by final state',
      labelNames: ['state'] as const,
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'delivery_request_duration_seconds',
      help: 'Time from the start of a request to the end of its reply',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
      registers,
    }),
    firstAttemptSeconds: new Histogram({
      name: 'delivery_first_attempt_seconds',
      help: 'Time from an event (by its id) to the end of the first attempt at each of its deliveries; held subscriptions count too',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600],
      registers,
    }),
    lateAttempts: new Counter({
      name: 'delivery_late_attempts_total',
      help: 'Answers that came after the lease was lost',
      registers,
    }),
    released: new Counter({ name: 'delivery_released_total', help: 'Leased deliveries given back unsent', registers }),
    takenOver: new Counter({
      name: 'delivery_lapsed_leases_total',
      help: 'Deliveries taken over from dead replicas',
      registers,
    }),
    leased: measured('delivery_held', 'Deliveries leased by this process'),
    inFlight: measured('delivery_requests_in_flight', 'Requests under way'),
    connections: measured('delivery_connections_open', 'Connections to receivers, busy and idle'),
    openEndpoints: measured('delivery_endpoints_open', 'Endpoints behind an open breaker'),
    waitingLines: measured(
      'delivery_waiting_lines',
      'Endpoints (and ranks) with waiting deliveries that this process looks after',
    ),
    pollSeconds: new Histogram({
      name: 'delivery_poll_duration_seconds',
      help: 'Time of a poll for deliveries that are due',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    lateSeconds: measured(
      'delivery_due_lateness_seconds',
      'How long the oldest delivery that could be sent has been due',
    ),
    unrecorded: measured('delivery_outcomes_unrecorded', 'Outcomes that wait in memory to be recorded'),
  }
}
