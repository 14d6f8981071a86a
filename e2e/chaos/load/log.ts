/** A create that the load generator has sent, and what its client knows of it. */
export interface Create {
  kind: 'payment' | 'site'
  /** Unique: the payment's Reference, the site's Name, and the Idempotency-Key if it has one. */
  name: string
  site: string
  keyed: boolean
  /** The id in the 2xx answer: RecordId or SiteSlug. Absent while there was none. */
  id?: string
  /** The provider's id, if the answer had one. */
  paymentId?: string
  /** Whether the provider has confirmed that the customer paid. */
  paid?: boolean
}

/** A request that was not answered 2xx: its status, or the error of its connection. */
export interface Failure {
  /** Milliseconds since the load began. */
  at: number
  kind: string
  keyed: boolean
  /** Undefined if no answer came. */
  status: number | undefined
  reason: string
}

/** The requests of clients, and the answers that they got. */
export interface LoadLog {
  /** Requests, repetitions under the same key included. */
  sent: number
  acknowledged: number
  creates: Create[]
  failures: Failure[]
  /** Answers that no fault excuses: 4xx other than 429 and a key in use. */
  refusals: string[]
  /** Ticks at which too many requests were under way already. */
  skipped: number
}

export function openLog(): LoadLog {
  return { sent: 0, acknowledged: 0, creates: [], failures: [], refusals: [], skipped: 0 }
}

/** Returns how often each failure happened, by status or error, most frequent first. */
export function failuresByReason({ failures }: LoadLog): string {
  const counts = new Map<string, number>()
  for (const { kind, keyed, reason } of failures) {
    const name = `${kind}${keyed ? '' : ' without a key'} ${reason}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const listed = [...counts].toSorted(([, a], [, b]) => b - a).map(([name, count]) => `${count} ${name}`)
  return listed.length === 0 ? 'none' : listed.slice(0, 6).join(', ')
}
