import { newEndpoint, type BreakerWaits, type EndpointHealth } from './endpoint.ts'
import type { HeldDelivery } from './held.ts'
import { createQueue, type DeliveryQueue } from './queue.ts'
import type { SlotLimits } from './slots.ts'

/** What one process keeps in memory at most; whatever is beyond waits in Postgres. */
export interface LaneLimits {
  /** Deliveries that wait for one endpoint. */
  queue: number
  /** Deliveries held in all, and the bytes of their events. */
  held: number
  heldBytes: number
  /** Deliveries that wait for receivers which answer: with so many the intake waits for them, and not the other way round. */
  flowing: number
  /** Requests under way. */
  slots: SlotLimits
}

export const defaultLimits: LaneLimits = {
  queue: 512,
  held: 8_192,
  heldBytes: 64 * 1024 * 1024,
  flowing: 1_024,
  slots: { young: 256, youngMs: { least: 20, most: 200 }, all: 4_096 },
}

/** Where deliveries come from: straight from the intake, or claimed by the scanner. */
export type Source = 'intake' | 'scanner'

/** One endpoint's way out of this process. */
export interface Lane {
  id: bigint
  health: EndpointHealth
  queue: DeliveryQueue
  inFlight: number
  /** Older deliveries wait in Postgres. */
  backlog: boolean
  /** When its receiver last answered (monotonic), or was first heard of. */
  answeredAt: number
}

export function newLane(id: bigint, waits: BreakerWaits): Lane {
  return {
    id,
    health: newEndpoint(waits),
    queue: createQueue(),
    inFlight: 0,
    backlog: false,
    answeredAt: performance.now(),
  }
}

/**
 * How many more deliveries a lane takes. What comes straight from the intake may fill its queue, unless older ones wait:
 * then both get their share. The scanner brings two windows' worth at most, so that a backlog starts slowly.
 */
export function roomIn(lane: Lane, source: Source, longestQueue: number, now: number): number {
  const { health } = lane
  if (now < health.quietUntil) return 0
  const taken = lane.inFlight + lane.queue.length
  if (health.open) return source === 'scanner' && taken === 0 ? 1 : 0
  if (source === 'scanner') return Math.max(0, 2 * health.window - taken)
  return Math.max(0, (lane.backlog ? health.window : longestQueue) - taken)
}

const flowingMs = 250

/** How many deliveries wait in a lane whose receiver answers; none where it hangs. */
export function flowing(lane: Lane, now: number): number {
  return now - lane.answeredAt < flowingMs ? lane.queue.length : 0
}

/** Whether nothing would be lost by forgetting a lane. */
export function isIdle({ health, inFlight, queue, backlog }: Lane): boolean {
  return (
    inFlight === 0 &&
    queue.length === 0 &&
    !backlog &&
    !health.open &&
    health.failures === 0 &&
    health.throttleStep === 0
  )
}

/** Counts what is held, in deliveries and bytes. */
export function createHolding(limits: LaneLimits) {
  const held = new Set<HeldDelivery>()
  let bytes = 0
  return {
    held: held as ReadonlySet<HeldDelivery>,
    isFull: () => held.size >= limits.held || bytes >= limits.heldBytes,
    add(delivery: HeldDelivery): void {
      held.add(delivery)
      bytes += delivery.payload.byteLength
    },
    drop(delivery: HeldDelivery): void {
      if (held.delete(delivery)) bytes -= delivery.payload.byteLength
    },
  }
}
