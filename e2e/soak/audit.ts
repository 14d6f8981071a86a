import type { LedgerEntry } from '../system/provider.ts'
import type { OutcomeEvent, Records, Row } from './records.ts'

/** The result of comparing the records. */
export interface Audit {
  /** Every contradiction, in words. */
  faults: string[]
  /** Number of payments by status: at the provider and in our record. */
  statuses: Map<string, number>
  requested: { patient: number; 'gives up': number; careless: number }
  rows: number
  /** Rows that were never sent to the provider: the client was told 503. */
  withdrawn: number
  checkouts: number
  charges: { succeeded: number; failed: number; second: number }
  /** Minor units. */
  money: { atProvider: number; inRecords: number }
  events: { outcomes: number; second: number; unpublished: number }
  webhooks: { distinct: number; posts: number; twoIds: number; missing: number }
  stuck: number
}

/** Returns the status that a payment must have, from the provider's ledger alone. */
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
/** Returns the event that a payment in this status must have sent. */
const outcomeOf = (status: string): string => outcomes[status] ?? 'payment.succeeded'

/** Compares the records of all sides. */
export function audit(records: Records): Audit {
  const { requested, rows, ledger, events, received } = records
  const faults: string[] = []
  const checkoutsOf = Map.groupBy(ledger, (entry) => entry.reference ?? '')
  const eventsOf = Map.groupBy(events, (event) => event.recordId)
  const receivedOf = Map.groupBy(received, ({ recordId }) => recordId)
  const rowsOf = Map.groupBy(rows, (row) => row.reference)
  const known = new Set(rows.map((row) => row.id))
  const result: Audit = {
    faults,
    statuses: new Map(),
    requested: { patient: 0, 'gives up': 0, careless: 0 },
    rows: rows.length,
    withdrawn: 0,
    checkouts: ledger.length,
    charges: { succeeded: 0, failed: 0, second: 0 },
    money: { atProvider: 0, inRecords: 0 },
    events: { outcomes: events.length, second: 0, unpublished: 0 },
    webhooks: { distinct: 0, posts: received.length, twoIds: 0, missing: 0 },
    stuck: 0,
  }

  for (const { plan, recordId } of requested) {
    result.requested[plan.manner] += 1
    const made = rowsOf.get(plan.name) ?? []
    if (made.length > 1) faults.push(`${plan.name}: requested once, and ${made.length} payments were made`)
    if (plan.manner === 'patient' && made[0]?.id !== recordId) {
      faults.push(`${plan.name}: its client was told ${recordId}, and the record is ${made[0]?.id}`)
    }
  }
  for (const entry of ledger) countCharges(entry, result)
  for (const reference of checkoutsOf.keys()) {
    if (!known.has(reference)) faults.push(`a checkout without a payment of ours: ${reference}`)
  }
  for (const row of rows) {
    const own = eventsOf.get(row.id) ?? []
    checkEvents(row, own, result)
    checkDeliveries(row, own, new Set((receivedOf.get(row.id) ?? []).map(({ webhookId }) => webhookId)), result)
    checkStatus(row, checkoutsOf.get(row.id) ?? [], own, records.shown.get(row.id), result)
  }
  if (result.money.atProvider !== result.money.inRecords) {
    faults.push(`the provider took ${result.money.atProvider}, and our paid records come to ${result.money.inRecords}`)
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
  { webhooks, faults }: Audit,
): void {
  webhooks.distinct += webhookIds.size
  if (webhookIds.size > 1) {
    webhooks.twoIds += 1
    faults.push(`${id}: delivered under ${webhookIds.size} webhook-ids`)
  }
  for (const event of own) {
    if (webhookIds.has(event.id)) continue
    webhooks.missing += 1
    faults.push(`${id}: its ${event.type} was never delivered`)
  }
}

function checkStatus(
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
      faults.push(`${row.id}: ${row.status}, and the provider does not know it`)
    }
    count(result.statuses, 'never sent, Failed and not listed')
    return
  }
  const implied = statusImplied(checkout)
  count(result.statuses, `${implied} at the provider, ${status} in the record`)
  if (implied !== status) faults.push(`${row.id}: the provider has it as ${implied}, the record as ${status}`)
  if (checkout.amount !== row.amount)
    faults.push(`${row.id}: we asked for ${row.amount}, the provider for ${checkout.amount}`)
  if (own.length === 0 && !open.has(status)) faults.push(`${row.id}: ${status}, without an outcome event`)
  if (!open.has(status) && outcomeOf(status) === 'payment.succeeded') result.money.inRecords += row.amount
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
