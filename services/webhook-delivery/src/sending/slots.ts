/** How many requests one process has under way. */
export interface SlotLimits {
  /** Young ones: more at a time would only wait for each other in this process. */
  young: number
  /** A request stays young for twice the usual time of an answer, within these bounds in milliseconds. */
  youngMs: { least: number; most: number }
  /** Of any age: connections have to end somewhere. */
  all: number
}

export interface Slot {
  startedAt: number
  young: boolean
  ended: boolean
}

/**
 * Room for requests. Receivers that answer share a limited number of places, since more requests at a time only open more
 * connections and wait for each other here. One that takes much longer than is usual (it is slow, or it hangs) soon counts
 * no longer, so it takes no place away from the others.
 */
export function createSlots({ young, youngMs, all }: SlotLimits) {
  // In the order of their start, so that only the front can have grown old.
  let queue: Slot[] = []
  let head = 0
  let youngCount = 0
  let count = 0
  let usualMs = 0

  const oldAfterMs = () => Math.min(youngMs.most, Math.max(youngMs.least, 2 * usualMs))

  function grow(now: number): void {
    for (let first = queue[head]; first !== undefined; first = queue[head]) {
      if (!first.ended) {
        if (now - first.startedAt < oldAfterMs()) break
        first.young = false
        youngCount--
      }
      head++
    }
    if (head > 1_024) {
      queue = queue.slice(head)
      head = 0
    }
  }

  return {
    get count() {
      return count
    },
    take(now: number): Slot | undefined {
      if (youngCount >= young) grow(now)
      if (youngCount >= young || count >= all) return undefined
      const slot = { startedAt: now, young: true, ended: false }
      queue.push(slot)
      youngCount++
      count++
      return slot
    },
    release(slot: Slot, now: number): void {
      slot.ended = true
      count--
      if (slot.young) youngCount--
      usualMs += (Math.min(youngMs.most, now - slot.startedAt) - usualMs) * 0.01
      grow(now)
    },
    /** When the oldest of the young ones grows old: there may be room then (monotonic). */
    roomAt(): number {
      return count >= all ? Infinity : (queue[head]?.startedAt ?? 0) + oldAfterMs()
    },
  }
}
