import type { LedgerEntry } from '../system/provider.ts'
import type { Environment, Received } from './environment.ts'
import type { RequestedPayment } from './run-payment.ts'

/** A payment's row in the payments database. */
export interface Row {
  id: string
  reference: string
  site: string
  status: string
  listed: boolean
  amount: number
}

/** A payment as the API shows it. */
export interface Shown {
  statuses: string[]
  amount: number
}

/** An outcome event in the outbox. */
export interface OutcomeEvent {
  id: string
  recordId: string
  type: string
  published: boolean
}

/** The records of all sides: clients, our database, the API, the provider, the outbox and the subscribers. */
export interface Records {
  requested: readonly RequestedPayment[]
  rows: readonly Row[]
  shown: ReadonlyMap<string, Shown>
  ledger: readonly LedgerEntry[]
  events: readonly OutcomeEvent[]
  received: readonly Received[]
}

export async function readRows({ database }: Environment): Promise<Row[]> {
  const result = await database('payments').query<Row>(
    'select id, reference, site_slug as site, status, listed, amount::int as amount from payments order by id',
  )
  return result.rows
}

export async function readEvents({ database }: Environment): Promise<OutcomeEvent[]> {
  const result = await database('payments').query<OutcomeEvent>(
    `select id, aggregate_id as "recordId", headers ->> 'x-event-type' as type, published_at is not null as published
       from outbox where aggregate_type = 'payment' and visibility = 1 order by seq`,
  )
  return result.rows
}

/** Reads each payment through the gateway. */
export async function readShown({ frontdesk }: Environment, rows: readonly Row[]): Promise<Map<string, Shown>> {
  const shown = new Map<string, Shown>()
  await eachOf(rows, 16, async ({ id, site }) => {
    const { History, Amount } = await frontdesk.getPayment({ SiteSlug: site, PaymentIdentifier: id })
    shown.set(id, { statuses: History.map(({ Status }) => Status), amount: Amount })
  })
  return shown
}

/** Calls `work` for each item, at most `atATime` at once. */
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
