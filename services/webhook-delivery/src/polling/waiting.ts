import { manualRank } from '../leases/leased.ts'
import type { Claimed, Quota, WaitingPair } from './store.ts'

/** The deliveries of one subscription and rank that wait in Postgres, as far as the poller knows. */
export interface Pair {
  subscriptionId: string
  rank: number
  endpointId: bigint
  /** When the first of them is due, in monotonic milliseconds. */
  dueAt: number
  paused: boolean
  /** When it was last added, so that an older poll does not undo it. */
  addedAt: number
}

export type Pairs = Map<string, Pair>

const pairKey = (subscriptionId: string, rank: number) => `${subscriptionId} ${rank}`

/** Replaces the pairs by the result of a poll begun at `polledAt`. Pairs added since stay: the poll could not see them. */
export function applyPoll(pairs: Pairs, found: readonly WaitingPair[], polledAt: number): void {
  for (const [key, pair] of pairs) if (pair.addedAt < polledAt) pairs.delete(key)
  for (const { subscriptionId, rank, endpointId, dueInMs, paused } of found) {
    addWaiting(pairs, { subscriptionId, rank, endpointId, paused, dueAt: polledAt + dueInMs, addedAt: polledAt })
  }
}

/** Adds a pair. If it is known already, the earlier time counts. */
export function addWaiting(pairs: Pairs, pair: Pair): void {
  const key = pairKey(pair.subscriptionId, pair.rank)
  const known = pairs.get(key)
  if (known === undefined) pairs.set(key, pair)
  else {
    known.dueAt = Math.min(known.dueAt, pair.dueAt)
    known.addedAt = Math.max(known.addedAt, pair.addedAt)
    known.endpointId = pair.endpointId
    known.paused = pair.paused
  }
}

/**
 * Applies the result of a claim begun at `claimedAt`: a pair that gave less than its quota has nothing more due. Pairs that
 * gave something go to the end, so the next round begins with the others.
 */
export function applyClaim(pairs: Pairs, quotas: readonly Quota[], found: Claimed['pairs'], claimedAt: number): void {
  quotas.forEach((quota, place) => {
    const key = pairKey(quota.subscriptionId, quota.rank)
    const pair = pairs.get(key)
    const { claimed, nextDueInMs } = found[place] ?? { claimed: 0, nextDueInMs: undefined }
    if (pair === undefined) return
    pairs.delete(key)
    // Added while the claim ran: the claim may not have seen it.
    if (claimed === quota.most || pair.addedAt > claimedAt) pairs.set(key, pair)
    else if (nextDueInMs !== undefined) pairs.set(key, { ...pair, dueAt: claimedAt + nextDueInMs })
  })
}

/** Whether deliveries of a pair may be sent at all. */
export const isSendable = (pair: Pair) => !pair.paused || pair.rank === manualRank

/** How much the endpoints take. */
export interface Capacity {
  room(endpointId: bigint): number
  /** The least room that is worth a claim. */
  worthwhile(endpointId: bigint): number
  quietUntil(endpointId: bigint): number
}

export interface Plan {
  quotas: Quota[]
  /** Endpoints with something due. */
  backlog: Set<bigint>
  /** When to look again at the latest (monotonic); Infinity if only more room would help. */
  nextAt: number
}

/**
 * Decides what to claim now. Within an endpoint manual and urgent deliveries go first, then those that are due first. Each
 * endpoint gets its own room, however much waits for the others.
 */
export function planClaims(pairs: Pairs, now: number, most: number, capacity: Capacity): Plan {
  const byEndpoint = new Map<bigint, Pair[]>()
  const backlog = new Set<bigint>()
  let nextAt = Infinity
  for (const pair of pairs.values()) {
    if (!isSendable(pair)) continue
    const readyAt = Math.max(pair.dueAt, capacity.quietUntil(pair.endpointId))
    if (pair.dueAt <= now) backlog.add(pair.endpointId)
    if (readyAt > now) {
      nextAt = Math.min(nextAt, readyAt)
      continue
    }
    const due = byEndpoint.get(pair.endpointId)
    if (due === undefined) byEndpoint.set(pair.endpointId, [pair])
    else due.push(pair)
  }
  const quotas: Quota[] = []
  let left = most
  for (const [endpointId, due] of byEndpoint) {
    const room = Math.min(capacity.room(endpointId), left)
    if (room <= 0 || room < Math.min(left, capacity.worthwhile(endpointId))) continue
    // Only the most urgent rank: the next round, which follows at once, claims the others.
    const rank = Math.min(...due.map((pair) => pair.rank))
    const urgent = due.filter((pair) => pair.rank === rank).toSorted((a, b) => a.dueAt - b.dueAt)
    const share = Math.ceil(room / urgent.length)
    for (const pair of urgent.slice(0, room)) quotas.push({ subscriptionId: pair.subscriptionId, rank, most: share })
    left -= room
    if (left <= 0) return { quotas, backlog, nextAt: now }
  }
  return { quotas, backlog, nextAt }
}
