import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Answered, Sender } from '../attempts/sender.ts'
import { afterReply, allowance, type BreakerWaits } from '../endpoints/endpoint.ts'
import { fairShare, kindOf, kinds, type EndpointKind, type EndpointQueue } from '../endpoints/endpoint-queue.ts'
import type { createLeasedDeliveries, LeasedDelivery } from '../leases/leased.ts'
import type { Recorder } from '../recording/recorder.ts'
import type { Signals } from '../signals.ts'
import { createSlots, type Slot, type SlotLimits } from './slots.ts'

export type LeasedDeliveries = ReturnType<typeof createLeasedDeliveries<EndpointKind>>

export interface TrafficDeps {
  sender: Sender
  recorder: Recorder
  leased: LeasedDeliveries
  waits: BreakerWaits
  signals: Signals
  log: Logger
}

/** Requests to one kind of endpoint. */
interface Share {
  slots: ReturnType<typeof createSlots>
  /** Queues that could send but for the share's slots; they take turns. */
  blocked: Set<EndpointQueue>
  timer: NodeJS.Timeout | undefined
}

function openShares(limits: Record<EndpointKind, SlotLimits>): Record<EndpointKind, Share> {
  const open = (kind: EndpointKind): Share => ({
    slots: createSlots(limits[kind]),
    blocked: new Set(),
    timer: undefined,
  })
  return { answering: open('answering'), idle: open('idle'), untried: open('untried'), failing: open('failing') }
}

/**
 * Moves deliveries from the endpoint queues to the sender, within each endpoint's allowance and the caps on all requests to
 * endpoints of its kind.
 */
export function createTraffic(
  { sender, recorder, leased, waits, signals, log }: TrafficDeps,
  slotLimits: Record<EndpointKind, SlotLimits>,
  onRest: (queue: EndpointQueue) => void,
) {
  const shares = openShares(slotLimits)
  const holds = new Set<string>()
  let stopping = false
  const inFlight = () => kinds.reduce((sum, kind) => sum + shares[kind].slots.count, 0)

  function pump(queue: EndpointQueue): void {
    while (holds.size === 0 && !stopping && queue.waiting.length > 0) {
      const now = performance.now()
      const { slots, blocked } = shares[kindOf(queue, now)]
      if (queue.inFlight >= fairShare(slots.free) || allowance(queue.health, queue.inFlight, now) <= 0) break
      const slot = slots.take(now)
      if (slot === undefined) {
        blocked.add(queue)
        return
      }
      const next = queue.waiting.shift()
      if (next !== undefined) void run(queue, next, slot, slots)
    }
    for (const kind of kinds) shares[kind].blocked.delete(queue)
  }

  /** Queues that wait for a slot take turns once there is one: after an answer, or when a request has grown old. */
  function pumpBlocked(): void {
    for (const kind of kinds) if (shares[kind].blocked.size > 0) pumpShare(shares[kind])
  }

  function pumpShare(share: Share): void {
    for (const queue of share.blocked) {
      share.blocked.delete(queue)
      pump(queue)
      if (share.blocked.has(queue)) break
    }
    if (share.blocked.size === 0 || share.timer !== undefined) return
    const waitMs = share.slots.roomAt() - performance.now()
    if (waitMs === Infinity) return
    const wakeUp = () => {
      share.timer = undefined
      pumpShare(share)
    }
    share.timer = setTimeout(wakeUp, Math.max(1, waitMs))
  }

  async function run(queue: EndpointQueue, delivery: LeasedDelivery, slot: Slot, slots: Share['slots']): Promise<void> {
    if (queue.inFlight++ === 0) queue.askedAt = performance.now()
    try {
      const answered = await sender.attempt(delivery, () => queue.health.throttleStep)
      leased.drop(delivery)
      if (answered !== undefined) judge(queue, answered)
    } catch (error) {
      log.warn({ err: error, eventId: delivery.eventId }, 'a delivery could not be attempted')
      release(delivery)
    } finally {
      queue.inFlight--
      slots.release(slot, performance.now())
      pump(queue)
      pumpBlocked()
      signals.emit('room', queue.id)
      onRest(queue)
    }
  }

  function judge(queue: EndpointQueue, answered: Answered): void {
    const now = performance.now()
    if (answered.reply.kind === 'answer') queue.answeredAt = now
    const wasOpen = queue.health.open
    queue.health = afterReply(queue.health, answered, now, waits)
    const isOpen = queue.health.open
    if (isOpen !== wasOpen)
      log.info({ endpoint: queue.id }, isOpen ? 'an endpoint is cut off' : 'an endpoint answers again')
    // What waits for an endpoint that fails without an answer waits better in Postgres than in the memory of all.
    if (now < queue.health.quietUntil || kindOf(queue, now) === 'failing') releaseWaiting(queue)
  }

  function release(delivery: LeasedDelivery): void {
    leased.drop(delivery)
    recorder.release(delivery)
  }

  function releaseWaiting(queue: EndpointQueue, matches: (delivery: LeasedDelivery) => boolean = () => true): void {
    if (queue.waiting.length === 0) return
    for (const delivery of queue.waiting.take(matches)) release(delivery)
  }

  return {
    pump,
    pumpBlocked,
    releaseWaiting,
    inFlight,
    isHalted: () => holds.size > 0 || stopping,
    setOnHold(reason: string, onHold: boolean, queues: Iterable<EndpointQueue>): void {
      if (onHold) holds.add(reason)
      else holds.delete(reason)
      if (holds.size === 0) for (const queue of queues) pump(queue)
    },
    async stop(graceMs: number, queues: Iterable<EndpointQueue>): Promise<void> {
      stopping = true
      for (const kind of kinds) clearTimeout(shares[kind].timer)
      for (const queue of queues) releaseWaiting(queue)
      const until = performance.now() + graceMs
      while (inFlight() > 0 && performance.now() < until) await wait(10)
      sender.interruptAll()
      while (inFlight() > 0) await wait(5)
    },
  }
}
