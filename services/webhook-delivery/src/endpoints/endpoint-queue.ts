import { newEndpoint, type BreakerWaits, type EndpointHealth } from './endpoint.ts'
import { createQueue, type DeliveryQueue } from './queue.ts'

/** Where deliveries come from: straight from the intake, or claimed by the poller. */
export type Source = 'intake' | 'poller'

/** One endpoint in this process: the deliveries that wait for it, its requests in flight, and its health. */
export interface EndpointQueue {
  id: bigint
  health: EndpointHealth
  waiting: DeliveryQueue
  inFlight: number
  /** Whether older deliveries wait in Postgres. */
  backlog: boolean
  /** When its receiver last answered, or when the queue was made (monotonic). */
  answeredAt: number
}

export function newEndpointQueue(id: bigint, waits: BreakerWaits): EndpointQueue {
  return {
    id,
    health: newEndpoint(waits),
    waiting: createQueue(),
    inFlight: 0,
    backlog: false,
    answeredAt: performance.now(),
  }
}

/**
 * How many more deliveries an endpoint queue takes. The intake may fill it, unless older deliveries wait in Postgres: then
 * both sources get a share. The poller brings two windows' worth at most, so that a backlog starts slowly.
 */
export function roomIn(queue: EndpointQueue, source: Source, longest: number, now: number): number {
  const { health } = queue
  if (now < health.quietUntil) return 0
  const taken = queue.inFlight + queue.waiting.length
  if (health.open) return source === 'poller' && taken === 0 ? 1 : 0
  if (source === 'poller') return Math.max(0, 2 * health.window - taken)
  return Math.max(0, (queue.backlog ? health.window : longest) - taken)
}

const flowingMs = 250

/** How many deliveries wait for a receiver that answers; 0 for one that hangs. */
export function flowing(queue: EndpointQueue, now: number): number {
  return now - queue.answeredAt < flowingMs ? queue.waiting.length : 0
}

/** Whether nothing would be lost by forgetting an endpoint queue. */
export function isIdle({ health, inFlight, waiting, backlog }: EndpointQueue): boolean {
  return (
    inFlight === 0 &&
    waiting.length === 0 &&
    !backlog &&
    !health.open &&
    health.failures === 0 &&
    health.throttleStep === 0
  )
}
