/** Counts drops of sites, so that a drop needs no search through the cached answers: each tells how old it is in drops. */
export interface Drops {
  add(identifier: string): void
  /** Returns the number of drops so far. */
  count(): number
  /** Whether `identifier` was dropped after the first `count` drops. */
  isAfter(identifier: string, count: number): boolean
}

/** Makes a record of drops. It keeps each for `keptMs`, the longest life of an answer. */
export function createDrops(now: () => number, keptMs: number): Drops {
  // Ordered by time: the oldest drop is first.
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
