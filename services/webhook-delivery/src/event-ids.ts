import { longestLifeMs } from './replies/outcome.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The smallest id a UUIDv7 of that instant can have: everything made before is below. */
export function lowestIdAt(epochMs: number): string {
  const hex = Math.max(0, Math.floor(epochMs)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}

/** The instant in a UUIDv7, in epoch milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/**
 * The lowest event id that may still have a pending delivery: deliveries end 14 days after their event, and are swept
 * within a day. It bounds the partitions that a statement has to look at.
 */
export function oldestOpenId(now: number): string {
  return lowestIdAt(now - longestLifeMs - dayMs)
}

/** The smallest and the largest of some event ids. They bound the partitions that a statement has to look at. */
export function idBounds(ids: readonly string[]): [lowest: string, highest: string] {
  let lowest = ids[0] ?? ''
  let highest = lowest
  for (const id of ids) {
    if (id < lowest) lowest = id
    if (id > highest) highest = id
  }
  return [lowest, highest]
}
