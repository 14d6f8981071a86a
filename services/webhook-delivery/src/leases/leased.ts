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

/** How many deliveries, and how many bytes of their events, may be leased at a time. */
export interface LeasedLimit {
  deliveries: number
  bytes: number
}

/** The deliveries that this process has leased, up to a limit for each kind of endpoint. */
export function createLeasedDeliveries<Kind extends string>(limits: Record<Kind, LeasedLimit>) {
  const all = new Map<LeasedDelivery, Kind>()
  const taken = Object.fromEntries(Object.keys(limits).map((kind) => [kind, { deliveries: 0, bytes: 0 }])) as Record<
    Kind,
    LeasedLimit
  >
  return {
    get size() {
      return all.size
    },
    count: (kind: Kind) => taken[kind].deliveries,
    all: () => all.keys(),
    /** How many more deliveries of a kind may be leased. */
    free: (kind: Kind) =>
      taken[kind].bytes >= limits[kind].bytes ? 0 : Math.max(0, limits[kind].deliveries - taken[kind].deliveries),
    add(delivery: LeasedDelivery, kind: Kind): void {
      all.set(delivery, kind)
      taken[kind].deliveries++
      taken[kind].bytes += delivery.payload.byteLength
    },
    drop(delivery: LeasedDelivery): void {
      const kind = all.get(delivery)
      if (kind === undefined) return
      all.delete(delivery)
      taken[kind].deliveries--
      taken[kind].bytes -= delivery.payload.byteLength
    },
  }
}
