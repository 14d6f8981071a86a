import type { PlayedPayment } from './play.ts'
import type { Delivery, Stage } from './stage.ts'

/** A payment as its row in our database has it. */
export interface Row {
  id: string
  reference: string
  site: string
  status: string
  listed: boolean
  amount: number
}

/** A payment as its client is shown it. */
export interface Shown {
  statuses: string[]
  amount: number
}

/** A checkout as the provider's own books have it. */
export interface LedgerEntry {
  paymentId: string
  /** Our RecordId. */
  reference: string | null
  status: 'open' | 'complete' | 'expired'
  paymentStatus: 'paid' | 'unpaid'
  intentStatus: string | null
  amount: number
  charges: { status: string; amount: number; amountRefunded: number; disputeStatus: string | null }[]
}

/** An outcome event in the outbox. */
export interface OutcomeEvent {
  id: string
  recordId: string
  type: string
  published: boolean
}

/** Everything that is known of the payments, from every side. */
export interface Books {
  played: readonly PlayedPayment[]
  rows: readonly Row[]
  shown: ReadonlyMap<string, Shown>
  ledger: readonly LedgerEntry[]
  events: readonly OutcomeEvent[]
  deliveries: readonly Delivery[]
}

export async function readRows({ database }: Stage): Promise<Row[]> {
  const result = await database.query<Row>(
    'select id, reference, site_slug as site, status, listed, amount::int as amount from payments order by id',
  )
  return result.rows
}

export async function readLedger({ look }: Stage): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = []
  for (;;) {
    const page = await look<{ checkouts: LedgerEntry[] }>(`ledger?after=${entries.at(-1)?.paymentId ?? ''}`)
    if (page.checkouts.length === 0) return entries
    entries.push(...page.checkouts)
  }
}

export async function readEvents({ database }: Stage): Promise<OutcomeEvent[]> {
  const result = await database.query<OutcomeEvent>(
    `select id, aggregate_id as "recordId", headers ->> 'x-event-type' as type, published_at is not null as published
       from outbox where aggregate_type = 'payment' and visibility = 1 order by seq`,
  )
  return result.rows
}

/** What clients are shown of payments: each is read through the gateway. */
export async function readShown({ frontdesk }: Stage, rows: readonly Row[]): Promise<Map<string, Shown>> {
  const shown = new Map<string, Shown>()
  await eachOf(rows, 16, async ({ id, site }) => {
    const { History, Amount } = await frontdesk.getPayment({ SiteSlug: site, PaymentIdentifier: id })
    shown.set(id, { statuses: History.map(({ Status }) => Status), amount: Amount })
  })
  return shown
}

/** Does something with each, so many at a time. */
export async function eachOf<Item>(
  items: Iterable<Item>,
  atATime: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value)
    }),
  )
}
