import { EventEmitter } from 'node:events'

/** A delivery that waits in Postgres. */
export interface WaitingDelivery {
  subscriptionId: string
  /** Lower goes first; `manualRank` before all. */
  rank: number
  endpointId: bigint
  /** Until it is due, in milliseconds. */
  waitMs: number
}

/**
 * The one channel against a delivery's way through the engine: recording, sending and the API's routes tell the poller and
 * the dispatcher what they have to know. Listeners run at once, in the caller's turn.
 */
export type Signals = EventEmitter<{
  /** A delivery waits in Postgres. */
  waiting: [delivery: WaitingDelivery]
  /** An unknown number of deliveries became due in Postgres. */
  manyDue: []
  /** An endpoint has room again. */
  room: [endpointId: bigint]
  /** A subscription changed, here or in another replica: its deliveries in memory are stale. */
  subscriptionChanged: [subscriptionId: string]
  /** A reason to start no requests begins (true) or ends (false). */
  hold: [reason: string, onHold: boolean]
}>

export const createSignals = (): Signals => new EventEmitter()
