/** A delivery that this process has leased, with everything it needs to send it and to record the outcome. */
export interface LeasedDelivery {
  subscriptionId: string
  eventId: string
  claimId: string
  endpointId: bigint
  /** The subscription's version when the delivery was claimed. */
  version: number
  /** Whether the subscription had been failing then: a success has to be recorded. */
  failing: boolean
  /** The event's own rank; the delivery goes by it after a manual attempt. */
  rank: number
  /** Whether a person or a probe asked for this attempt: it is made even while the subscription is paused. */
  manual: boolean
  attempts: number
  step: number
  payload: Buffer
  traceparent: string | undefined
  /** Epoch milliseconds. */
  expiresAt: number | undefined
  /** When the lease ends, by this process's monotonic clock. */
  leasedUntil: number
}

/** The rank of deliveries that a person asked for: they go first. Events are clamped to a rank well above. */
export const manualRank = -1_000
const furthestRank = 100

/** The rank of an event: its negated priority, so that lower goes first, within -100 to 100. */
export function rankOf(priority: number | null | undefined): number {
  // Without -0, which Postgres would take and tests would trip over.
  return Math.max(-furthestRank, Math.min(furthestRank, -(priority ?? 0))) || 0
}

export type LeasedDeliveries = ReturnType<typeof createLeasedDeliveries>

/** The deliveries that this process has leased, up to a number of them and of their events' bytes. */
export function createLeasedDeliveries(most: { deliveries: number; bytes: number }) {
  const all = new Set<LeasedDelivery>()
  let bytes = 0
  return {
    all: all as ReadonlySet<LeasedDelivery>,
    isFull: () => all.size >= most.deliveries || bytes >= most.bytes,
    add(delivery: LeasedDelivery): void {
      all.add(delivery)
      bytes += delivery.payload.byteLength
    },
    drop(delivery: LeasedDelivery): void {
      if (all.delete(delivery)) bytes -= delivery.payload.byteLength
    },
  }
}
