import type { LedgerCharge, LedgerEntry } from '../system/provider.ts'
import { checkDisputes, checkRefundRequests, checkRefunds, succeededSum, type RefundAudit } from './audit-refunds.ts'
import type { Departure } from './departures.ts'
import type { PublicEvent, Records, Row, Shown } from './records.ts'

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
  /** Checkouts whose address nobody got: the provider made them and said that it had failed. */
  spare: number
  charges: { succeeded: number; failed: number; second: number }
  refunds: RefundAudit
  disputes: number
  /** Minor units: what was taken, what was given back, and the fees less what of them went back. */
  money: { atProvider: Money; inRecords: Money }
  events: { outcomes: number; others: number; second: number; unpublished: number }
  webhooks: { distinct: number; posts: number; unknown: number; missing: number }
  /** Practices that disconnected, their payments, and those of which the provider told enough before. */
  departed: { practices: number; payments: number; completed: number }
  stuck: number
  /** Of each paid payment, the milliseconds from its payment at the provider to our record of it. */
  recordedAfterMs: number[]
}

export interface Money {
  taken: number
  refunded: number
  fees: number
}

/** Returns the status that a payment must have, from the provider's ledger alone. */
export function statusImplied({ status, paymentStatus, intentStatus, charges }: LedgerEntry): string {
  if (status === 'expired') return 'Cancelled'
  const charge = chargeOf(charges)
  if (paymentStatus === 'paid' && charge !== undefined) {
    if (charge.disputeStatus === 'lost') return 'ChargedBack'
    if (charge.disputeStatus === 'needs_response') return 'Disputed'
    const refunded = succeededSum(charge)
    if (refunded === 0) return 'Completed'
    return refunded < charge.amount ? 'PartiallyRefunded' : 'Refunded'
  }
  if (status === 'complete') return intentStatus === 'processing' ? 'Processing' : 'Failed'
  return intentStatus === null ? 'Pending' : 'Declined'
}

/** Returns the charge that took the money. */
export const chargeOf = (charges: readonly LedgerCharge[]): LedgerCharge | undefined =>
  charges.findLast(({ status }) => status === 'succeeded')

const open = new Set(['Created', 'Pending', 'Declined', 'Processing'])
const outcomes: Record<string, string> = { Failed: 'payment.failed', Cancelled: 'payment.cancelled' }
/** Returns the event that a payment in this status must have sent. */
const outcomeOf = (status: string): string => outcomes[status] ?? 'payment.succeeded'

/** Compares the records of all sides. */
export function audit(records: Records): Audit {
  const { requested, rows, ledger, events, received, departures } = records
  const checkoutsOf = Map.groupBy(ledger, (entry) => entry.reference ?? '')
  const eventsOf = Map.groupBy(events, (event) => event.recordId)
  const receivedOf = Map.groupBy(received, ({ recordId }) => recordId)
  const departed = new Set(departures.flatMap(({ recordIds }) => recordIds))
  const result = emptyAudit(records)
  const { faults } = result

  checkRequests(records, result)
  measureLateness(records, result)
  checkDepartures(departures, result)
  for (const reference of checkoutsOf.keys()) {
    if (!rows.some(({ id }) => id === reference)) faults.push(`a checkout without a payment of ours: ${reference}`)
  }
  for (const row of rows) {
    const own = eventsOf.get(row.id) ?? []
    const checkouts = checkoutsOf.get(row.id) ?? []
    checkEvents(row, own, result)
    checkDeliveries(row, own, new Set((receivedOf.get(row.id) ?? []).map(({ webhookId }) => webhookId)), result)
    for (const checkout of checkouts) countCharges(checkout, result)
    if (departed.has(row.id)) checkDeparted(row, checkouts, records, result)
    else checkPayment(row, checkouts, own, records.shown.get(row.id), result)
  }
  for (const name of ['taken', 'refunded', 'fees'] as const) {
    const [theirs, ours] = [result.money.atProvider[name], result.money.inRecords[name]]
    if (theirs !== ours) faults.push(`${name}: ${theirs} at the provider, and ${ours} in our records`)
  }
  checkRefundRequests(
    requested.flatMap(({ refunds = [] }) => refunds),
    rows,
    faults,
  )
  return result
}

function emptyAudit({ rows, ledger, events, received, departures }: Records): Audit {
  const nothing = { taken: 0, refunded: 0, fees: 0 }
  const outcomeEvents = events.filter(isOutcome).length
  return {
    faults: [],
    statuses: new Map(),
    requested: { patient: 0, 'gives up': 0, careless: 0 },
    rows: rows.length,
    withdrawn: 0,
    checkouts: ledger.length,
    spare: 0,
    charges: { succeeded: 0, failed: 0, second: 0 },
    refunds: { atProvider: 0, inRecords: 0, failed: 0, fromDashboard: 0, withdrawn: 0, second: 0 },
    disputes: 0,
    money: { atProvider: { ...nothing }, inRecords: { ...nothing } },
    events: { outcomes: outcomeEvents, others: events.length - outcomeEvents, second: 0, unpublished: 0 },
    webhooks: { distinct: 0, posts: received.length, unknown: 0, missing: 0 },
    departed: { practices: departures.length, payments: 0, completed: 0 },
    stuck: 0,
    recordedAfterMs: [],
  }
}

const isOutcome = ({ type }: PublicEvent): boolean => type.startsWith('payment.')

/** Compares what clients were told with what was made for them. */
function checkRequests({ requested, rows }: Records, { requested: counts, faults }: Audit): void {
  const rowsOf = Map.groupBy(rows, (row) => row.reference)
  for (const { plan, recordId } of requested) {
    counts[plan.manner] += 1
    const made = rowsOf.get(plan.name) ?? []
    if (made.length > 1) faults.push(`${plan.name}: requested once, and ${made.length} payments were made`)
    if (plan.manner === 'patient' && made[0]?.id !== recordId) {
      faults.push(`${plan.name}: its client was told ${recordId}, and the record is ${made[0]?.id}`)
    }
  }
}

function measureLateness({ requested, events }: Records, { recordedAfterMs }: Audit): void {
  const succeeded = events.filter(({ type }) => type === 'payment.succeeded')
  const recordedAt = new Map(succeeded.map(({ recordId, at }) => [recordId, at]))
  for (const { recordId = '', paidAt } of requested) {
    const at = recordedAt.get(recordId)
    // The answer to whoever paid may come after our record.
    if (paidAt !== undefined && at !== undefined) recordedAfterMs.push(Math.max(0, at - paidAt))
  }
}

function checkDepartures(departures: readonly Departure[], { faults }: Audit): void {
  for (const { site, returned } of departures) {
    if (returned !== true) faults.push(`${site}: disconnected, and could not open another account: ${returned}`)
  }
}

function countCharges({ reference, charges }: LedgerEntry, { charges: counts, faults }: Audit): void {
  const taken = charges.filter(({ status }) => status !== 'failed')
  counts.succeeded += taken.length
  counts.failed += charges.length - taken.length
  if (taken.length <= 1) return
  counts.second += taken.length - 1
  faults.push(`${reference}: charged ${taken.length} times`)
}

function checkEvents({ id, status }: Row, all: readonly PublicEvent[], { events, faults }: Audit): void {
  const own = all.filter(isOutcome)
  if (own.length > 1) {
    events.second += own.length - 1
    faults.push(`${id}: ${own.length} outcome events (${own.map(({ type }) => type).join(', ')})`)
  }
  for (const { type } of own) {
    if (type !== outcomeOf(status)) faults.push(`${id}: is ${status}, and its event says ${type}`)
  }
  for (const { type, published } of all) {
    if (published) continue
    events.unpublished += 1
    faults.push(`${id}: its ${type} was never published`)
  }
}

function checkDeliveries(
  { id }: Row,
  own: readonly PublicEvent[],
  webhookIds: ReadonlySet<string>,
  { webhooks, faults }: Audit,
): void {
  webhooks.distinct += webhookIds.size
  if (webhookIds.size > own.length) {
    webhooks.unknown += webhookIds.size - own.length
    faults.push(`${id}: delivered under ${webhookIds.size} webhook-ids, and has ${own.length} events`)
  }
  for (const event of own) {
    if (webhookIds.has(event.id)) continue
    webhooks.missing += 1
    faults.push(`${id}: its ${event.type} was never delivered`)
  }
}

/** Returns the checkout that a payment's client was given. */
export function checkoutOf(
  { paymentId }: Pick<Row, 'paymentId'>,
  made: readonly LedgerEntry[],
): LedgerEntry | undefined {
  return made.find((checkout) => checkout.paymentId === paymentId) ?? made[0]
}

/** Other checkouts of a payment are allowed if nobody could pay them, and so nobody did. */
function checkSpare(row: Row, made: readonly LedgerEntry[], result: Audit): void {
  const own = checkoutOf(row, made)
  for (const checkout of made) {
    if (checkout === own) continue
    result.spare += 1
    if (checkout.status === 'expired' && checkout.charges.length === 0) continue
    result.faults.push(`${row.id}: has ${made.length} checkouts, and ${checkout.paymentId} could be paid, too`)
  }
}

function checkPayment(
  row: Row,
  checkouts: readonly LedgerEntry[],
  own: readonly PublicEvent[],
  shown: Shown | undefined,
  result: Audit,
): void {
  const { faults } = result
  const checkout = checkoutOf(row, checkouts)
  const status = shown?.statuses.at(-1) ?? row.status
  if (open.has(status)) {
    result.stuck += 1
    faults.push(`${row.id}: stuck as ${status}`)
  }
  checkSpare(row, checkouts, result)
  if (checkout === undefined) {
    result.withdrawn += 1
    if (row.status !== 'Failed' || row.listed || own.length > 0) {
      faults.push(`${row.id}: ${row.status}, and the provider does not know it`)
    }
    return count(result.statuses, 'never sent, Failed and not listed')
  }
  const implied = statusImplied(checkout)
  count(result.statuses, `${implied} at the provider, ${status} in the record`)
  if (implied !== status) faults.push(`${row.id}: the provider has it as ${implied}, the record as ${status}`)
  if (checkout.amount !== row.amount)
    faults.push(`${row.id}: we asked for ${row.amount}, the provider for ${checkout.amount}`)
  if (!own.some(isOutcome) && !open.has(status)) faults.push(`${row.id}: ${status}, without an outcome event`)

  const charge = chargeOf(checkout.charges)
  checkRefunds(row, charge, own, shown, result)
  checkDisputes(row, charge, own, result)
  const { atProvider, inRecords } = result.money
  if (charge !== undefined) {
    // A second charge is money, too.
    for (const { status: state, amount } of checkout.charges) if (state !== 'failed') atProvider.taken += amount
    atProvider.refunded += succeededSum(charge)
    atProvider.fees += charge.fee
  }
  if (open.has(status) || outcomeOf(status) !== 'payment.succeeded') return
  inRecords.taken += shown?.paidAmount ?? 0
  inRecords.refunded += shown?.refundedAmount ?? 0
  inRecords.fees += row.fee
}

/** Checks a payment of a practice that disconnected: paid if the provider said so before, and never over for want of an answer. */
function checkDeparted(row: Row, checkouts: readonly LedgerEntry[], records: Records, result: Audit): void {
  const { departed, faults, statuses } = result
  const status = records.shown.get(row.id)?.statuses.at(-1) ?? row.status
  const isPaid = checkouts.some(({ paymentStatus }) => paymentStatus === 'paid')
  const isProven = isPaid && checkouts.some(({ paymentId }) => records.proven.has(paymentId))
  departed.payments += 1
  count(
    statuses,
    `${isProven ? 'paid' : isPaid ? 'paid, unproven' : 'unpaid'} and disconnected, ${status} in the record`,
  )
  if (status === 'Completed') {
    departed.completed += 1
    if (!isPaid) faults.push(`${row.id}: is Completed, and was never paid`)
  } else if (isProven) faults.push(`${row.id}: is ${status}, although the provider signed that it is paid`)
  else if (!open.has(status)) faults.push(`${row.id}: is ${status}, although the provider does not tell`)
}

/** Counts one more under a name. */
function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
