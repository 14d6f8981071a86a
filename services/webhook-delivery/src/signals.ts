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
 * The engine's one channel: who records, sends or serves requests says here what the parts before it have to know.
 * Listeners run at once, in the caller's turn.
 */
export type Signals = EventEmitter<{
  /** A delivery waits in Postgres. */
  waiting: [delivery: WaitingDelivery]
  /** Deliveries became due in Postgres; which ones is not known here. */
  manyDue: []
  /** An endpoint has room again. */
  room: [endpointId: bigint]
  /** A subscription changed, here or in another replica: what waits in memory for it is stale. */
  subscriptionChanged: [subscriptionId: string]
  /** A reason to start no requests begins (true) or ends (false). */
  hold: [reason: string, onHold: boolean]
}>

export const createSignals = (): Signals => new EventEmitter()
