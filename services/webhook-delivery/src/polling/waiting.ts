import type { Line, Quota } from './store.ts'
import type { Settled } from './settling.ts'

/** A line as far as the poller knows it. */
export interface KnownLine extends Line {
  /** When its first delivery is due, in monotonic milliseconds. */
  dueAt: number
  /** When it was last added, so that a claim which was under way does not undo it. */
  addedAt: number
}

/** What this process looks after now: a part of what waits, bounded, since Postgres knows all of it. */
export type KnownLines = Map<string, KnownLine>

// More are only more to look through; a line that is forgotten is found again by a poll.
const mostKnown = 5_000

const lineKey = ({ endpointId, rank }: Line) => `${endpointId} ${rank}`

/** Adds a line. If it is known already, the earlier time counts. The line known for longest makes room. */
export function addLine(lines: KnownLines, line: KnownLine): void {
  const key = lineKey(line)
  const known = lines.get(key)
  if (known !== undefined) {
    known.dueAt = Math.min(known.dueAt, line.dueAt)
    known.addedAt = Math.max(known.addedAt, line.addedAt)
    return
  }
  if (lines.size >= mostKnown) for (const oldest of lines.keys()) if (lines.delete(oldest)) break
  lines.set(key, line)
}

/**
 * Applies the counts of a claim. Lines that gave all that was asked for go to the end, so that the next round begins with
 * the others. Returns those that gave less: they are to be settled.
 */
export function applyClaim(lines: KnownLines, quotas: readonly Quota[], counts: readonly number[]): Quota[] {
  const short: Quota[] = []
  quotas.forEach((quota, place) => {
    const key = lineKey(quota)
    const line = lines.get(key)
    if ((counts[place] ?? 0) < quota.most) short.push(quota)
    else if (line !== undefined) {
      lines.delete(key)
      lines.set(key, line)
    }
  })
  return short
}

// A line that could not be brought up to date, or that is still due: others hold its rows for a moment. One that has only
// just become due is looked at again at once: the claim was a hair too early.
const againMs = 100
const waitFor = (dueInMs: number) => (dueInMs > 0 ? dueInMs : Math.min(againMs, Math.max(1, -dueInMs)))

/**
 * Applies a settling of `lines` that was begun at `now`: a line waits for its next delivery if that is due within
 * `aheadMs`, and is forgotten otherwise. One that was added since `claimedAt` stays.
 */
export function applySettled(
  known: KnownLines,
  lines: readonly Line[],
  settled: Settled['lines'],
  { claimedAt, now, aheadMs }: { claimedAt: number; now: number; aheadMs: number },
): void {
  const found = new Map(settled.map((line) => [lineKey(line), line]))
  for (const line of lines) {
    const key = lineKey(line)
    const before = known.get(key)
    if (before === undefined || before.addedAt > claimedAt) continue
    const after = found.get(key)
    known.delete(key)
    if (after === undefined) known.set(key, { ...before, dueAt: now + againMs })
    else if (after.dueInMs !== undefined && after.dueInMs <= aheadMs) {
      known.set(key, { ...before, dueAt: now + waitFor(after.dueInMs) })
    }
  }
}

/** How much the endpoints take. */
export interface Capacity {
  room(endpointId: bigint): number
  /** Takes from the room that endpoints of its kind share. */
  reserve(endpointId: bigint, deliveries: number): void
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
 * Decides what to claim now. Within an endpoint manual and urgent deliveries go first. Each endpoint gets its own room,
 * however much waits for the others.
 */
export function planClaims(lines: KnownLines, now: number, most: number, capacity: Capacity): Plan {
  const urgent = new Map<bigint, number>()
  const backlog = new Set<bigint>()
  let nextAt = Infinity
  for (const { endpointId, rank, dueAt } of lines.values()) {
    const readyAt = Math.max(dueAt, capacity.quietUntil(endpointId))
    if (dueAt <= now) backlog.add(endpointId)
    if (readyAt > now) nextAt = Math.min(nextAt, readyAt)
    // Only the most urgent rank: the next round, which follows at once, claims the others.
    else urgent.set(endpointId, Math.min(rank, urgent.get(endpointId) ?? Infinity))
  }
  const quotas: Quota[] = []
  let left = most
  for (const [endpointId, rank] of urgent) {
    const room = Math.min(capacity.room(endpointId), left)
    if (room <= 0 || room < Math.min(left, capacity.worthwhile(endpointId))) continue
    quotas.push({ endpointId, rank, most: room })
    capacity.reserve(endpointId, room)
    left -= room
    if (left <= 0) return { quotas, backlog, nextAt: now }
  }
  return { quotas, backlog, nextAt }
}
