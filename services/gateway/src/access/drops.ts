/** What was dropped, and when in the order of drops: forgetting takes no search through the answers. */
export interface Drops {
  add(identifier: string): void
  /** How many drops there have been. */
  count(): number
  /** Whether `identifier` was dropped after that many drops. */
  isAfter(identifier: string, count: number): boolean
}

/** Makes a record of drops. Each is kept for `keptMs`, the longest that an answer can live. */
export function createDrops(now: () => number, keptMs: number): Drops {
  // In the order of time, so that the old ones are in front.
  const dropped = new Map<string, { order: number; at: number }>()
  let order = 0

  return {
    add(identifier) {
      const at = now()
      for (const [old, drop] of dropped) {
        if (drop.at > at - keptMs) break
        dropped.delete(old)
      }
      order += 1
      dropped.delete(identifier)
      dropped.set(identifier, { order, at })
    },
    count: () => order,
    isAfter: (identifier, count) => (dropped.get(identifier)?.order ?? 0) > count,
  }
}
