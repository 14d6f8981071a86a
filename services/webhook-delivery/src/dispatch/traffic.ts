import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Answered, Sender } from '../attempts/sender.ts'
import { afterReply, allowance, type BreakerWaits } from '../endpoints/endpoint.ts'
import type { EndpointQueue } from '../endpoints/endpoint-queue.ts'
import type { LeasedDeliveries, LeasedDelivery } from '../leases/leased.ts'
import type { Recorder } from '../recording/recorder.ts'
import type { Signals } from '../signals.ts'
import { createSlots, type Slot, type SlotLimits } from './slots.ts'

export interface TrafficDeps {
  sender: Sender
  recorder: Recorder
  leased: LeasedDeliveries
  waits: BreakerWaits
  signals: Signals
  log: Logger
}

/** Moves deliveries from the endpoint queues to the sender, within each endpoint's allowance and the cap on all requests. */
export function createTraffic(
  { sender, recorder, leased, waits, signals, log }: TrafficDeps,
  slotLimits: SlotLimits,
  onRest: (queue: EndpointQueue) => void,
) {
  // Queues that could send but for the cap on all requests; they take turns.
  const blocked = new Set<EndpointQueue>()
  const slots = createSlots(slotLimits)
  let timer: NodeJS.Timeout | undefined
  const holds = new Set<string>()
  let stopping = false

  const maySend = (queue: EndpointQueue) => allowance(queue.health, queue.inFlight, performance.now()) > 0

  function pump(queue: EndpointQueue): void {
    while (holds.size === 0 && !stopping && queue.waiting.length > 0 && maySend(queue)) {
      const slot = slots.take(performance.now())
      if (slot === undefined) {
        blocked.add(queue)
        return
      }
      const next = queue.waiting.shift()
      if (next !== undefined) void run(queue, next, slot)
    }
    blocked.delete(queue)
  }

  /** Queues that wait for a slot take turns once there is one: after an answer, or when a request has grown old. */
  function pumpBlocked(): void {
    for (const queue of blocked) {
      blocked.delete(queue)
      pump(queue)
      if (blocked.has(queue)) break
    }
    if (blocked.size === 0 || timer !== undefined) return
    const waitMs = slots.roomAt() - performance.now()
    if (waitMs === Infinity) return
    timer = setTimeout(
      () => {
        timer = undefined
        pumpBlocked()
      },
      Math.max(1, waitMs),
    )
  }

  async function run(queue: EndpointQueue, delivery: LeasedDelivery, slot: Slot): Promise<void> {
    queue.inFlight++
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
      if (blocked.size > 0) pumpBlocked()
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
    if (now < queue.health.quietUntil) releaseWaiting(queue)
  }

  function release(delivery: LeasedDelivery): void {
    leased.drop(delivery)
    recorder.release(delivery)
  }

  function releaseWaiting(queue: EndpointQueue, matches: (delivery: LeasedDelivery) => boolean = () => true): void {
    for (const delivery of queue.waiting.take(matches)) release(delivery)
  }

  return {
    pump,
    pumpBlocked,
    releaseWaiting,
    inFlight: () => slots.count,
    isHalted: () => holds.size > 0 || stopping,
    setOnHold(reason: string, onHold: boolean, queues: Iterable<EndpointQueue>): void {
      if (onHold) holds.add(reason)
      else holds.delete(reason)
      if (holds.size === 0) for (const queue of queues) pump(queue)
    },
    async stop(graceMs: number, queues: Iterable<EndpointQueue>): Promise<void> {
      stopping = true
      clearTimeout(timer)
      for (const queue of queues) releaseWaiting(queue)
      const until = performance.now() + graceMs
      while (slots.count > 0 && performance.now() < until) await wait(10)
      sender.interruptAll()
      while (slots.count > 0) await wait(5)
    },
  }
}
