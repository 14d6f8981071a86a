/** How many requests one process may have under way. */
export interface SlotLimits {
  /** Young ones: more at a time would only wait for each other here. */
  young: number
  /** A request stays young for twice the usual time of an answer, within these bounds in milliseconds. */
  youngMs: { least: number; most: number }
  /** Of any age: this bounds the connections. */
  all: number
}

export interface Slot {
  startedAt: number
  young: boolean
  ended: boolean
}

/**
 * Slots for requests. Receivers that answer share a limited number of slots, since more requests at a time only open more
 * connections and wait for each other here. A request that takes much longer than usual (its receiver is slow, or hangs)
 * soon stops counting as young, so it takes no slot away from the others.
 */
export function createSlots({ young, youngMs, all }: SlotLimits) {
  // In the order of their start: only the front can have grown old.
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
    get free() {
      return Math.max(0, all - count)
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
    /** When the oldest young request grows old and makes room (monotonic); Infinity if all slots are taken. */
    roomAt(): number {
      return count >= all ? Infinity : (queue[head]?.startedAt ?? 0) + oldAfterMs()
    },
  }
}
