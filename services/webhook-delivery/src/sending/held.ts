/** A delivery that this process has leased: what it needs to send it, and to record what came of it. */
export interface HeldDelivery {
  subscriptionId: string
  eventId: string
  claimId: string
  endpointId: bigint
  /** The subscription's version when the delivery was claimed. */
  version: number
  /** Whether the subscription had been failing then: a success has to be noted. */
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
  /** Until when the lease is ours, by this process's monotonic clock. */
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
