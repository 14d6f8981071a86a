import type { Books, LedgerEntry, OutcomeEvent, Row } from './books.ts'

/** What the books come to. */
export interface Audit {
  /** Everything that is not as it must be, in words. */
  faults: string[]
  /** How many payments stand how: at the provider, and with us. */
  standings: Map<string, number>
  asked: { patient: number; 'gives up': number; careless: number }
  rows: number
  /** Rows of which nothing was ever sent to the provider: the client was told 503 and nothing came of it. */
  withdrawn: number
  checkouts: number
  charges: { succeeded: number; failed: number; second: number }
  /** Minor units. */
  money: { atProvider: number; inRecords: number }
  events: { outcomes: number; second: number; unpublished: number }
  deliveries: { distinct: number; posts: number; twoIds: number; missing: number }
  stuck: number
}

/** The status that a payment must have, from nothing but the provider's own books. */
export function statusImplied({ status, paymentStatus, intentStatus, charges }: LedgerEntry): string {
  if (status === 'expired') return 'Cancelled'
  const charge = charges.findLast((one) => one.status === 'succeeded')
  if (paymentStatus === 'paid' && charge !== undefined) {
    if (charge.disputeStatus === 'lost') return 'ChargedBack'
    if (charge.disputeStatus === 'needs_response') return 'Disputed'
    if (charge.amountRefunded === 0) return 'Completed'
    return charge.amountRefunded < charge.amount ? 'PartiallyRefunded' : 'Refunded'
  }
  if (status === 'complete') return intentStatus === 'processing' ? 'Processing' : 'Failed'
  return intentStatus === null ? 'Pending' : 'Declined'
}

const open = new Set(['Created', 'Pending', 'Declined', 'Processing'])
const outcomes: Record<string, string> = { Failed: 'payment.failed', Cancelled: 'payment.cancelled' }
/** The event that a payment in this status must have sent. */
const outcomeOf = (status: string): string => outcomes[status] ?? 'payment.succeeded'

/** Holds the books against each other. Pure. */
export function audit(books: Books): Audit {
  const { played, rows, ledger, events, deliveries } = books
  const faults: string[] = []
  const checkoutsOf = Map.groupBy(ledger, (entry) => entry.reference ?? '')
  const eventsOf = Map.groupBy(events, (event) => event.recordId)
  const deliveriesOf = Map.groupBy(deliveries, (delivery) => delivery.recordId)
  const rowsOf = Map.groupBy(rows, (row) => row.reference)
  const known = new Set(rows.map((row) => row.id))
  const result: Audit = {
    faults,
    standings: new Map(),
    asked: { patient: 0, 'gives up': 0, careless: 0 },
    rows: rows.length,
    withdrawn: 0,
    checkouts: ledger.length,
    charges: { succeeded: 0, failed: 0, second: 0 },
    money: { atProvider: 0, inRecords: 0 },
    events: { outcomes: events.length, second: 0, unpublished: 0 },
    deliveries: { distinct: 0, posts: deliveries.length, twoIds: 0, missing: 0 },
    stuck: 0,
  }

  for (const { plan, recordId } of played) {
    result.asked[plan.manner] += 1
    const made = rowsOf.get(plan.name) ?? []
    if (made.length > 1) faults.push(`${plan.name}: asked for once, and ${made.length} payments were made`)
    if (plan.manner === 'patient' && made[0]?.id !== recordId) {
      faults.push(`${plan.name}: its client was told ${recordId}, and the record is ${made[0]?.id}`)
    }
  }
  for (const entry of ledger) countCharges(entry, result)
  for (const reference of checkoutsOf.keys()) {
    if (!known.has(reference)) faults.push(`a checkout of no payment of ours: ${reference}`)
  }
  for (const row of rows) {
    const own = eventsOf.get(row.id) ?? []
    checkEvents(row, own, result)
    checkDeliveries(row, own, new Set((deliveriesOf.get(row.id) ?? []).map(({ webhookId }) => webhookId)), result)
    checkStanding(row, checkoutsOf.get(row.id) ?? [], own, books.shown.get(row.id), result)
  }
  if (result.money.atProvider !== result.money.inRecords) {
    faults.push(
      `the provider took ${result.money.atProvider}, and the records of what is paid say ${result.money.inRecords}`,
    )
  }
  return result
}

function countCharges({ reference, charges }: LedgerEntry, { charges: counts, money, faults }: Audit): void {
  const taken = charges.filter(({ status }) => status !== 'failed')
  counts.succeeded += taken.length
  counts.failed += charges.length - taken.length
  for (const { amount } of taken) money.atProvider += amount
  if (taken.length <= 1) return
  counts.second += taken.length - 1
  faults.push(`${reference}: charged ${taken.length} times`)
}

function checkEvents({ id, status }: Row, own: readonly OutcomeEvent[], { events, faults }: Audit): void {
  if (own.length > 1) {
    events.second += own.length - 1
    faults.push(`${id}: ${own.length} outcome events (${own.map(({ type }) => type).join(', ')})`)
  }
  for (const { type, published } of own) {
    if (type !== outcomeOf(status)) faults.push(`${id}: is ${status}, and its event says ${type}`)
    if (published) continue
    events.unpublished += 1
    faults.push(`${id}: its ${type} was never published`)
  }
}

function checkDeliveries(
  { id }: Row,
  own: readonly OutcomeEvent[],
  webhookIds: ReadonlySet<string>,
  { deliveries, faults }: Audit,
): void {
  deliveries.distinct += webhookIds.size
  if (webhookIds.size > 1) {
    deliveries.twoIds += 1
    faults.push(`${id}: delivered under ${webhookIds.size} webhook-ids`)
  }
  for (const event of own) {
    if (webhookIds.has(event.id)) continue
    deliveries.missing += 1
    faults.push(`${id}: its ${event.type} was never delivered`)
  }
}

function checkStanding(
  row: Row,
  checkouts: readonly LedgerEntry[],
  own: readonly OutcomeEvent[],
  shown: { statuses: string[]; amount: number } | undefined,
  result: Audit,
): void {
  const { faults } = result
  const [checkout] = checkouts
  const status = shown?.statuses.at(-1) ?? row.status
  if (open.has(status)) {
    result.stuck += 1
    faults.push(`${row.id}: stuck as ${status}`)
  }
  if (checkouts.length > 1) faults.push(`${row.id}: ${checkouts.length} checkouts at the provider`)
  if (checkout === undefined) {
    result.withdrawn += 1
    if (row.status !== 'Failed' || row.listed || own.length > 0) {
      faults.push(`${row.id}: ${row.status}, of which the provider knows nothing`)
    }
    count(result.standings, 'never sent, Failed and not listed')
    return
  }
  const implied = statusImplied(checkout)
  count(result.standings, `${implied} at the provider, ${status} in the record`)
  if (implied !== status) faults.push(`${row.id}: the provider has it as ${implied}, the record as ${status}`)
  if (checkout.amount !== row.amount) faults.push(`${row.id}: asked ${row.amount}, the provider ${checkout.amount}`)
  if (own.length === 0 && !open.has(status)) faults.push(`${row.id}: ${status}, and nobody was told`)
  if (!open.has(status) && outcomeOf(status) === 'payment.succeeded') result.money.inRecords += row.amount
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
