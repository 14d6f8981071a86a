import type { BreakerWaits } from '../endpoints/endpoint.ts'
import {
  fairShare,
  flowing,
  isHanging,
  isIdle,
  isTrusted,
  kindOf,
  kinds,
  newEndpointQueue,
  roomIn,
  type EndpointKind,
  type EndpointQueue,
  type Source,
} from '../endpoints/endpoint-queue.ts'
import type { LeasedDelivery, LeasedLimit } from '../leases/leased.ts'
import type { DeliveryMetrics } from '../metrics.ts'
import type { Recorder } from '../recording/recorder.ts'
import { createPlan, type Plan } from './plan.ts'
import type { SlotLimits } from './slots.ts'
import { createTraffic, type LeasedDeliveries, type TrafficDeps } from './traffic.ts'

// About a kilobyte each. Beyond it what is known of endpoints at rest is forgotten, and they are untried again.
const mostQueues = 50_000

/** What one process takes at most; the rest waits in Postgres. */
export interface DispatchLimits {
  /** Deliveries that wait for one endpoint. */
  queue: number
  /** Deliveries that wait for receivers which answer: with so many the intake waits. */
  flowing: number
  /** Requests under way, for each kind of endpoint. */
  slots: Record<EndpointKind, SlotLimits>
  /** Deliveries in memory, for each kind of endpoint. */
  leased: Record<EndpointKind, LeasedLimit>
}

const youngMs = { least: 20, most: 200 }
// Those that hang begin one after the other, so that their connections and their time-outs do not come all at once.
const doubtfulMs = { least: 100, most: 200 }
const mebibyte = 1024 * 1024

export const defaultLimits: DispatchLimits = {
  queue: 512,
  flowing: 1_024,
  slots: {
    answering: { young: 256, youngMs, all: 4_096 },
    idle: { young: 128, youngMs, all: 2_048 },
    untried: { young: 32, youngMs: doubtfulMs, all: 2_048 },
    failing: { young: 16, youngMs: doubtfulMs, all: 1_024 },
  },
  leased: {
    answering: { deliveries: 8_192, bytes: 64 * mebibyte },
    idle: { deliveries: 2_560, bytes: 32 * mebibyte },
    untried: { deliveries: 2_560, bytes: 32 * mebibyte },
    failing: { deliveries: 1_280, bytes: 16 * mebibyte },
  },
}

const forgetEveryMs = 1_000

export interface DispatcherDeps extends TrafficDeps {
  recorder: Recorder
  leased: LeasedDeliveries
  waits: BreakerWaits
  limits: DispatchLimits
  metrics: DeliveryMetrics
}

/** What the intake may lease: of the deliveries for endpoints in neither list no more than `others`. */
export interface IntakeTerms {
  /** They answered when they were last asked, and take more. */
  open: bigint[]
  /** They take nothing now. */
  closed: bigint[]
  others: number
}

/** One queue per endpoint, so that no endpoint waits behind the deliveries of another. */
export interface Dispatcher {
  /** Whether an endpoint lets requests wait: claiming more for it is useless now. */
  isHanging(endpointId: bigint): boolean
  /** What endpoints take from the poller now. */
  plan(): Plan
  /** The least room that is worth a claim: a window's width, so that no statement is spent on one row. */
  worthwhile(endpointId: bigint): number
  /** Whether no endpoint takes anything now. */
  takesNothing(): boolean
  /** What the intake may lease now, for a batch that may be for these endpoints. */
  intakeTerms(endpointIds: Iterable<bigint>): IntakeTerms
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
    if (queues.size > mostQueues && isIdle(queue, performance.now())) queues.delete(queue.id)
  })

  const unknown = newEndpointQueue(0n, waits)
  const forgetIdle = idleForgetter(queues)

  function queueOf(id: bigint): EndpointQueue {
    let queue = queues.get(id)
    if (queue === undefined) {
      forgetIdle(performance.now())
      queue = newEndpointQueue(id, waits)
      queues.set(id, queue)
    }
    return queue
  }

  function roomOf(queue: EndpointQueue, source: Source): number {
    if (traffic.isHalted()) return 0
    const now = performance.now()
    if (isHanging(queue, now)) return 0
    const free = leased.free(kindOf(queue, now))
    return free === 0 ? 0 : roomIn(queue, source, Math.min(limits.queue, fairShare(free)), now)
  }

  showIn(metrics, { leased, queues, inFlight: traffic.inFlight })

  return {
    isHanging: (id) => isHanging(queues.get(id) ?? unknown, performance.now()),
    plan: () =>
      createPlan({
        kindOf: (id) => kindOf(queues.get(id) ?? unknown, performance.now()),
        room: (id) => roomOf(queues.get(id) ?? unknown, 'poller'),
        free: leased.free,
      }),
    worthwhile(id) {
      const { health } = queues.get(id) ?? unknown
      return health.open ? 1 : health.window
    },
    takesNothing: () => traffic.isHalted() || kinds.every((kind) => leased.free(kind) === 0),
    intakeTerms(ids) {
      const now = performance.now()
      const { closed, open } = Object.groupBy([...ids], (id) => {
        const queue = queues.get(id) ?? unknown
        if (roomOf(queue, 'intake') === 0) return 'closed'
        return isTrusted(kindOf(queue, now)) ? 'open' : 'others'
      })
      return {
        open: open ?? [],
        closed: closed ?? [],
        others: traffic.isHalted() ? 0 : leased.free('untried'),
      }
    },
    isBusy() {
      if (leased.count('answering') < limits.flowing) return false
      const now = performance.now()
      return queues.values().reduce((waiting, queue) => waiting + flowing(queue, now), 0) >= limits.flowing
    },
    accept(deliveries, source) {
      const touched = new Set<EndpointQueue>()
      for (const delivery of deliveries) {
        const queue = queueOf(delivery.endpointId)
        if (roomOf(queue, source) === 0) {
          recorder.release(delivery)
          continue
        }
        leased.add(delivery, kindOf(queue, performance.now()))
        queue.waiting.push(delivery)
        touched.add(queue)
      }
      for (const queue of touched) traffic.pump(queue)
      traffic.pumpBlocked()
    },
    setBacklog(id, waiting) {
      if (waiting) queueOf(id).backlog = true
      else {
        const queue = queues.get(id)
        if (queue !== undefined) queue.backlog = false
      }
    },
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

function showIn(
  metrics: DeliveryMetrics,
  state: { leased: LeasedDeliveries; queues: ReadonlyMap<bigint, EndpointQueue>; inFlight: () => number },
): void {
  metrics.leased.by(() => state.leased.size)
  metrics.inFlight.by(state.inFlight)
  metrics.openEndpoints.by(() => [...state.queues.values()].filter((queue) => queue.health.open).length)
}

/** Returns what forgets endpoints at rest if too many are known; once a second at most, since it looks through all. */
function idleForgetter(queues: Map<bigint, EndpointQueue>): (now: number) => void {
  let forgottenAt = 0
  return (now) => {
    if (queues.size <= mostQueues || now < forgottenAt + forgetEveryMs) return
    forgottenAt = now
    for (const queue of queues.values()) if (isIdle(queue, now)) queues.delete(queue.id)
  }
}
