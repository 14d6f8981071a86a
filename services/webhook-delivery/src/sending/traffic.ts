import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { allowance } from './endpoint.ts'
import type { HeldDelivery } from './held.ts'
import type { createHolding, Lane, LaneLimits } from './lane.ts'
import type { Recorder } from './recorder.ts'
import type { Sender, Turn } from './sender.ts'
import { createSlots, type Slot } from './slots.ts'

export interface TrafficOptions {
  sender: Sender
  recorder: Recorder
  limits: LaneLimits
  log: Logger
  /** An endpoint has room again, or is quiet until a time: the scanner may want to know. */
  onRoom: (endpointId: bigint) => void
  onTurn: (held: HeldDelivery, turn: Extract<Turn, { kind: 'recorded' }>) => void
}

/** Moves deliveries from their lanes' queues to their receivers, within each lane's allowance and the cap on all of them. */
export function createTraffic(
  { sender, recorder, limits, log, onRoom, onTurn }: TrafficOptions,
  holding: ReturnType<typeof createHolding>,
  onRest: (lane: Lane) => void,
) {
  // Lanes that could send, but for the cap on requests in all; they take turns.
  const queueing = new Set<Lane>()
  const slots = createSlots(limits.slots)
  let timer: NodeJS.Timeout | undefined
  const holds = new Set<string>()
  let stopping = false

  const maySend = (lane: Lane) => allowance(lane.health, lane.inFlight, performance.now()) > 0

  function pump(lane: Lane): void {
    while (holds.size === 0 && !stopping && lane.queue.length > 0 && maySend(lane)) {
      const slot = slots.take(performance.now())
      if (slot === undefined) {
        queueing.add(lane)
        return
      }
      const next = lane.queue.shift()
      if (next !== undefined) void run(lane, next, slot)
    }
    queueing.delete(lane)
  }

  /** Lanes that wait for a slot take their turns, once there is one: at an answer, or when a request has grown old. */
  function pumpOthers(): void {
    for (const lane of queueing) {
      queueing.delete(lane)
      pump(lane)
      if (queueing.has(lane)) break
    }
    if (queueing.size === 0 || timer !== undefined) return
    const waitMs = slots.roomAt() - performance.now()
    if (waitMs === Infinity) return
    timer = setTimeout(
      () => {
        timer = undefined
        pumpOthers()
      },
      Math.max(1, waitMs),
    )
  }

  async function run(lane: Lane, delivery: HeldDelivery, slot: Slot): Promise<void> {
    lane.inFlight++
    try {
      settle(lane, delivery, await sender.attempt(delivery, () => lane.health))
    } catch (error) {
      log.warn({ err: error, eventId: delivery.eventId }, 'a delivery could not be attempted')
      release(delivery)
    } finally {
      lane.inFlight--
      slots.release(slot, performance.now())
      pump(lane)
      if (queueing.size > 0) pumpOthers()
      onRoom(lane.id)
      onRest(lane)
    }
  }

  function settle(lane: Lane, delivery: HeldDelivery, turn: Turn): void {
    if (turn.kind === 'released') return release(delivery)
    holding.drop(delivery)
    recorder.record(turn.change)
    if (turn.reply?.kind === 'answer') lane.answeredAt = performance.now()
    const wasOpen = lane.health.open
    lane.health = turn.judge(lane.health)
    const isOpen = lane.health.open
    if (isOpen !== wasOpen) log.info({ endpoint: lane.id }, isOpen ? 'endpoint cut off' : 'endpoint is back')
    if (performance.now() < lane.health.quietUntil) releaseQueue(lane, () => true)
    onTurn(delivery, turn)
  }

  function release(delivery: HeldDelivery): void {
    holding.drop(delivery)
    recorder.release(delivery)
  }

  function releaseQueue(lane: Lane, matches: (delivery: HeldDelivery) => boolean): void {
    for (const delivery of lane.queue.take(matches)) release(delivery)
  }

  return {
    pump,
    pumpOthers,
    releaseQueue,
    inFlight: () => slots.count,
    isHalted: () => holds.size > 0 || stopping,
    setOnHold(reason: string, onHold: boolean, lanes: Iterable<Lane>): void {
      if (onHold) holds.add(reason)
      else holds.delete(reason)
      if (holds.size === 0) for (const lane of lanes) pump(lane)
    },
    async stop(graceMs: number, lanes: Iterable<Lane>): Promise<void> {
      stopping = true
      clearTimeout(timer)
      for (const lane of lanes) releaseQueue(lane, () => true)
      const until = performance.now() + graceMs
      while (slots.count > 0 && performance.now() < until) await wait(10)
      sender.interruptAll()
      while (slots.count > 0) await wait(5)
    },
  }
}
