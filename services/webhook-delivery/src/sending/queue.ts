import type { HeldDelivery } from './held.ts'

/** Deliveries that wait for their endpoint: manual ones first, then by rank, then in the order they came. */
export interface DeliveryQueue {
  readonly length: number
  push(held: HeldDelivery): void
  shift(): HeldDelivery | undefined
  /** Takes out whatever `matches`. */
  take(matches: (held: HeldDelivery) => boolean): HeldDelivery[]
}

export function createQueue(): DeliveryQueue {
  let waiting: HeldDelivery[] = []
  let head = 0
  return {
    get length() {
      return waiting.length - head
    },
    push(held) {
      const urgency = urgencyOf(held)
      let at = waiting.length
      while (at > head && urgencyOf(waiting[at - 1] as HeldDelivery) > urgency) at--
      if (at === waiting.length) waiting.push(held)
      else waiting.splice(at, 0, held)
    },
    shift() {
      const first = waiting[head]
      if (first === undefined) return undefined
      head++
      if (head === waiting.length || head > 256) {
        waiting = waiting.slice(head)
        head = 0
      }
      return first
    },
    take(matches) {
      const rest = waiting.slice(head)
      const taken = rest.filter(matches)
      if (taken.length > 0) waiting = rest.filter((held) => !matches(held))
      else waiting = rest
      head = 0
      return taken
    },
  }
}

const urgencyOf = (held: HeldDelivery) => (held.manual ? -Infinity : held.rank)
