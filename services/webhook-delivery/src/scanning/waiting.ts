import { manualRank } from '../sending/held.ts'
import type { Claimed, Quota, WaitingPair } from './store.ts'

/** What the scanner knows of the deliveries that wait: by subscription and rank, when the first is due. */
export interface Pair {
  subscriptionId: string
  rank: number
  endpointId: bigint
  /** Monotonic milliseconds. */
  dueAt: number
  paused: boolean
  /** When it was last heard of, so that an older survey does not undo it. */
  notedAt: number
}

export type Pairs = Map<string, Pair>

export const pairKey = (subscriptionId: string, rank: number) => `${subscriptionId} ${rank}`

/** Takes over a survey begun at `surveyedAt`; what was noted after that stays, for the survey could not see it. */
export function applySurvey(pairs: Pairs, survey: readonly WaitingPair[], surveyedAt: number): void {
  for (const [key, pair] of pairs) if (pair.notedAt < surveyedAt) pairs.delete(key)
  for (const { subscriptionId, rank, endpointId, dueInMs, paused } of survey) {
    note(pairs, { subscriptionId, rank, endpointId, paused, dueAt: surveyedAt + dueInMs, notedAt: surveyedAt })
  }
}

/** Notes that something waits. Of what is known already, the earlier time counts. */
export function note(pairs: Pairs, pair: Pair): void {
  const key = pairKey(pair.subscriptionId, pair.rank)
  const known = pairs.get(key)
  if (known === undefined) pairs.set(key, pair)
  else {
    known.dueAt = Math.min(known.dueAt, pair.dueAt)
    known.notedAt = Math.max(known.notedAt, pair.notedAt)
    known.endpointId = pair.endpointId
    known.paused = pair.paused
  }
}

/**
 * Takes over what a claim begun at `claimedAt` has found: a pair that gave less than it was asked for has nothing more due.
 * Whoever was served goes to the end: the next round begins with the others.
 */
export function applyClaim(pairs: Pairs, quotas: readonly Quota[], found: Claimed['pairs'], claimedAt: number): void {
  quotas.forEach((quota, place) => {
    const key = pairKey(quota.subscriptionId, quota.rank)
    const pair = pairs.get(key)
    const { claimed, nextDueInMs } = found[place] ?? { claimed: 0, nextDueInMs: undefined }
    if (pair === undefined) return
    pairs.delete(key)
    // Noted while the claim ran: it may be what the claim could not see.
    if (claimed === quota.most || pair.notedAt > claimedAt) pairs.set(key, pair)
    else if (nextDueInMs !== undefined) pairs.set(key, { ...pair, dueAt: claimedAt + nextDueInMs })
  })
}

/** Whether anything of a pair may be sent at all. */
export const isSendable = (pair: Pair) => !pair.paused || pair.rank === manualRank

/** What a lane would take. */
export interface Capacity {
  room(endpointId: bigint): number
  /** How much room makes a claim worth its statement. */
  worthwhile(endpointId: bigint): number
  quietUntil(endpointId: bigint): number
}

export interface Plan {
  quotas: Quota[]
  /** Endpoints with something due. */
  backlog: Set<bigint>
  /** When to look again at the latest (monotonic); Infinity where only more room would help. */
  nextAt: number
}

/**
 * What to claim now: within an endpoint, manual and urgent deliveries first, then those due first; between endpoints each
 * gets its own room, whatever lies behind the others.
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
    // Only the most urgent: the others have the next round, which follows at once.
    const rank = Math.min(...due.map((pair) => pair.rank))
    const urgent = due.filter((pair) => pair.rank === rank).toSorted((a, b) => a.dueAt - b.dueAt)
    const share = Math.ceil(room / urgent.length)
    for (const pair of urgent.slice(0, room)) quotas.push({ subscriptionId: pair.subscriptionId, rank, most: share })
    left -= room
    if (left <= 0) return { quotas, backlog, nextAt: now }
  }
  return { quotas, backlog, nextAt }
}
