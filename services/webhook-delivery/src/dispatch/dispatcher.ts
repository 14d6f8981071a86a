import type { BreakerWaits } from '../endpoints/endpoint.ts'
import {
  flowing,
  isIdle,
  newEndpointQueue,
  roomIn,
  type EndpointQueue,
  type Source,
} from '../endpoints/endpoint-queue.ts'
import type { LeasedDeliveries, LeasedDelivery } from '../leases/leased.ts'
import type { DeliveryMetrics } from '../metrics.ts'
import type { Recorder } from '../recording/recorder.ts'
import type { SlotLimits } from './slots.ts'
import { createTraffic, type TrafficDeps } from './traffic.ts'

const mostQueues = 5_000

/** What one process takes at most; the rest waits in Postgres. */
export interface DispatchLimits {
  /** Deliveries that wait for one endpoint. */
  queue: number
  /** Deliveries that wait for receivers which answer: with so many the intake waits. */
  flowing: number
  /** Requests under way. */
  slots: SlotLimits
}

export const defaultLimits: DispatchLimits = {
  queue: 512,
  flowing: 1_024,
  slots: { young: 256, youngMs: { least: 20, most: 200 }, all: 4_096 },
}

export interface DispatcherDeps extends TrafficDeps {
  recorder: Recorder
  leased: LeasedDeliveries
  waits: BreakerWaits
  limits: DispatchLimits
  metrics: DeliveryMetrics
}

/** One queue per endpoint. An endpoint that is stuck costs the others nothing. */
export interface Dispatcher {
  /** How many more deliveries an endpoint takes from a source now. */
  room(endpointId: bigint, source: Source): number
  /** The least room that is worth a claim: a window's width, so that no statement is spent on one row. */
  worthwhile(endpointId: bigint): number
  /** Endpoints that take nothing from the intake now; undefined if nothing is taken at all. */
  closedToIntake(): bigint[] | undefined
  /** Whether so much waits for receivers that answer that the intake should wait too. */
  isBusy(): boolean
  /** Queues the deliveries that there is room for; gives the rest back. */
  accept(deliveries: readonly LeasedDelivery[], source: Source): void
  /** Whether older deliveries of an endpoint wait in Postgres: then new ones leave them room. */
  setBacklog(endpointId: bigint, waiting: boolean): void
  /** Monotonic time before which nothing is sent to an endpoint. */
  quietUntil(endpointId: bigint): number
  /** Sends an endpoint nothing for a while: it asked another replica for silence. */
  throttle(endpointId: bigint, milliseconds: number): void
  /** Gives back the deliveries that wait in memory for a subscription: its settings changed, or it ended. */
  releaseSubscription(subscriptionId: string): void
  /** While there is any reason to hold, no new request starts. */
  setOnHold(reason: string, onHold: boolean): void
  /** Forgets a delivery whose lease is lost, unless it is being sent already. */
  forget(delivery: LeasedDelivery): void
  /** Starts no more requests, gives back all waiting deliveries, and lets requests under way finish for `graceMs`. */
  stop(graceMs: number): Promise<void>
}

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { recorder, leased, waits, limits, metrics } = deps
  const queues = new Map<bigint, EndpointQueue>()
  const traffic = createTraffic(deps, limits.slots, (queue) => {
    if (queues.size > mostQueues && isIdle(queue)) queues.delete(queue.id)
  })

  function queueOf(id: bigint): EndpointQueue {
    let queue = queues.get(id)
    if (queue === undefined) {
      queue = newEndpointQueue(id, waits)
      queues.set(id, queue)
    }
    return queue
  }

  const isClosed = () => traffic.isHalted() || leased.isFull()
  const roomOf = (queue: EndpointQueue, source: Source) =>
    isClosed() ? 0 : roomIn(queue, source, limits.queue, performance.now())

  metrics.leased.by(() => leased.all.size)
  metrics.inFlight.by(() => traffic.inFlight())
  metrics.openEndpoints.by(() => [...queues.values()].filter((queue) => queue.health.open).length)

  return {
    room: (id, source) => roomOf(queueOf(id), source),
    worthwhile: (id) => (queueOf(id).health.open ? 1 : queueOf(id).health.window),
    closedToIntake() {
      if (isClosed()) return undefined
      return [...queues.values()].filter((queue) => roomOf(queue, 'intake') === 0).map((queue) => queue.id)
    },
    isBusy() {
      if (leased.all.size < limits.flowing) return false
      const now = performance.now()
      let waiting = 0
      for (const queue of queues.values()) waiting += flowing(queue, now)
      return waiting >= limits.flowing
    },
    accept(deliveries, source) {
      const touched = new Set<EndpointQueue>()
      for (const delivery of deliveries) {
        const queue = queueOf(delivery.endpointId)
        if (roomOf(queue, source) === 0) {
          recorder.release(delivery)
          continue
        }
        leased.add(delivery)
        queue.waiting.push(delivery)
        touched.add(queue)
      }
      for (const queue of touched) traffic.pump(queue)
      traffic.pumpBlocked()
    },
    setBacklog: (id, waiting) => void (queueOf(id).backlog = waiting),
    quietUntil: (id) => queues.get(id)?.health.quietUntil ?? 0,
    throttle(id, milliseconds) {
      const queue = queueOf(id)
      const quietUntil = performance.now() + milliseconds
      if (quietUntil <= queue.health.quietUntil) return
      queue.health = { ...queue.health, window: 1, quietUntil }
      traffic.releaseWaiting(queue)
    },
    releaseSubscription(subscriptionId) {
      const isOfIt = (delivery: LeasedDelivery) => delivery.subscriptionId === subscriptionId
      for (const queue of queues.values()) traffic.releaseWaiting(queue, isOfIt)
    },
    setOnHold: (reason, onHold) => traffic.setOnHold(reason, onHold, queues.values()),
    forget(delivery) {
      const queue = queues.get(delivery.endpointId)
      for (const lost of queue?.waiting.take((waiting) => waiting === delivery) ?? []) leased.drop(lost)
    },
    stop: (graceMs) => traffic.stop(graceMs, queues.values()),
  }
}
