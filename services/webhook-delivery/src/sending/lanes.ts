import type { DeliveryMetrics } from '../metrics.ts'
import type { BreakerWaits } from './endpoint.ts'
import type { HeldDelivery } from './held.ts'
import { createHolding, flowing, isIdle, newLane, roomIn, type Lane, type Source } from './lane.ts'
import type { Recorder } from './recorder.ts'
import { createTraffic, type TrafficOptions } from './traffic.ts'

const mostLanes = 5_000

export interface LanesOptions extends TrafficOptions {
  recorder: Recorder
  waits: BreakerWaits
  metrics: DeliveryMetrics
}

/** One lane per endpoint: its queue, its requests in flight and its health. A lane that is stuck costs the others nothing. */
export interface Lanes {
  /** How many more deliveries a lane takes from a source now. */
  room(endpointId: bigint, source: Source): number
  /** How much room makes it worth while to claim for a lane: a window's width, so that no statement is spent on one row. */
  worthwhile(endpointId: bigint): number
  /** Endpoints that take nothing from the intake now; undefined where nothing is taken at all. */
  closedToIntake(): bigint[] | undefined
  /** Whether so much waits for receivers that answer that the intake should wait too. */
  isBusy(): boolean
  /** Takes what there is room for; gives the rest back. */
  accept(deliveries: readonly HeldDelivery[], source: Source): void
  /** Whether older deliveries of an endpoint wait in Postgres: then new ones leave them room. */
  setBacklog(endpointId: bigint, waiting: boolean): void
  /** Monotonic time before which nothing is sent to an endpoint. */
  quietUntil(endpointId: bigint): number
  /** Another copy was asked for silence by an endpoint. */
  quieten(endpointId: bigint, milliseconds: number): void
  /** Gives back what waits in memory for a subscription: its settings changed, or it ended. */
  releaseSubscription(subscriptionId: string): void
  /** While there is any reason to hold, no new request starts. */
  setOnHold(reason: string, onHold: boolean): void
  readonly held: ReadonlySet<HeldDelivery>
  /** Lets go of a delivery whose lease is lost, if it is not being sent yet. */
  forget(held: HeldDelivery): void
  /** Starts nothing more, gives back what waits, and lets requests under way finish for so long. */
  stop(graceMs: number): Promise<void>
}

export function createLanes(options: LanesOptions): Lanes {
  const { recorder, waits, limits, metrics } = options
  const lanes = new Map<bigint, Lane>()
  const holding = createHolding(limits)
  const traffic = createTraffic(options, holding, (lane) => {
    if (lanes.size > mostLanes && isIdle(lane)) lanes.delete(lane.id)
  })

  function laneOf(id: bigint): Lane {
    let lane = lanes.get(id)
    if (lane === undefined) {
      lane = newLane(id, waits)
      lanes.set(id, lane)
    }
    return lane
  }

  const isClosed = () => traffic.isHalted() || holding.isFull()
  const roomOf = (lane: Lane, source: Source) =>
    isClosed() ? 0 : roomIn(lane, source, limits.queue, performance.now())

  metrics.held.by(() => holding.held.size)
  metrics.inFlight.by(() => traffic.inFlight())
  metrics.openEndpoints.by(() => [...lanes.values()].filter((lane) => lane.health.open).length)

  return {
    held: holding.held,
    room: (id, source) => roomOf(laneOf(id), source),
    worthwhile: (id) => (laneOf(id).health.open ? 1 : laneOf(id).health.window),
    closedToIntake() {
      if (isClosed()) return undefined
      return [...lanes.values()].filter((lane) => roomOf(lane, 'intake') === 0).map((lane) => lane.id)
    },
    isBusy() {
      if (holding.held.size < limits.flowing) return false
      const now = performance.now()
      let waiting = 0
      for (const lane of lanes.values()) waiting += flowing(lane, now)
      return waiting >= limits.flowing
    },
    accept(deliveries, source) {
      const touched = new Set<Lane>()
      for (const delivery of deliveries) {
        const lane = laneOf(delivery.endpointId)
        if (roomOf(lane, source) === 0) {
          recorder.release(delivery)
          continue
        }
        holding.add(delivery)
        lane.queue.push(delivery)
        touched.add(lane)
      }
      for (const lane of touched) traffic.pump(lane)
      traffic.pumpOthers()
    },
    setBacklog: (id, waiting) => void (laneOf(id).backlog = waiting),
    quietUntil: (id) => lanes.get(id)?.health.quietUntil ?? 0,
    quieten(id, milliseconds) {
      const lane = laneOf(id)
      const quietUntil = performance.now() + milliseconds
      if (quietUntil <= lane.health.quietUntil) return
      lane.health = { ...lane.health, window: 1, quietUntil }
      traffic.releaseQueue(lane, () => true)
    },
    releaseSubscription(subscriptionId) {
      const isOfIt = (delivery: HeldDelivery) => delivery.subscriptionId === subscriptionId
      for (const lane of lanes.values()) traffic.releaseQueue(lane, isOfIt)
    },
    setOnHold: (reason, onHold) => traffic.setOnHold(reason, onHold, lanes.values()),
    forget(delivery) {
      const lane = lanes.get(delivery.endpointId)
      const taken = lane?.queue.take((waiting) => waiting === delivery) ?? []
      for (const lost of taken) holding.drop(lost)
    },
    stop: (graceMs) => traffic.stop(graceMs, lanes.values()),
  }
}
