import type { LeasedDelivery } from '../leases/leased.ts'

/** Deliveries that wait for their endpoint: manual ones first, then by rank, then in the order they came. */
export interface DeliveryQueue {
  readonly length: number
  push(delivery: LeasedDelivery): void
  shift(): LeasedDelivery | undefined
  /** Removes and returns the deliveries that match. */
  take(matches: (delivery: LeasedDelivery) => boolean): LeasedDelivery[]
}

export function createQueue(): DeliveryQueue {
  let waiting: LeasedDelivery[] = []
  let head = 0
  return {
    get length() {
      return waiting.length - head
    },
    push(delivery) {
      const urgency = urgencyOf(delivery)
      let at = waiting.length
      while (at > head && urgencyOf(waiting[at - 1] as LeasedDelivery) > urgency) at--
      if (at === waiting.length) waiting.push(delivery)
      else waiting.splice(at, 0, delivery)
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
      if (taken.length > 0) waiting = rest.filter((delivery) => !matches(delivery))
      else waiting = rest
      head = 0
      return taken
    },
  }
}

const urgencyOf = (delivery: LeasedDelivery) => (delivery.manual ? -Infinity : delivery.rank)
