import type { LedgerCharge } from '../system/provider.ts'
import type { PublicEvent, RefundRow, RequestedRefund, Row, Shown } from './records.ts'

/** How many refunds there are. */
export interface RefundAudit {
  atProvider: number
  inRecords: number
  /** Failed at the bank. */
  failed: number
  fromDashboard: number
  /** Never made at the provider: the client was told so. */
  withdrawn: number
  /** Made a second time for one request. */
  second: number
}

/** The parts of the audit that this file writes to. */
interface Result {
  faults: string[]
  refunds: RefundAudit
  disputes: number
  stuck: number
}

type LedgerRefund = LedgerCharge['refunds'][number]

const statuses: Record<string, string> = { pending: 'Pending', succeeded: 'Succeeded', failed: 'Failed' }

/** Returns how much of a charge was given back, in minor units. */
export function succeededSum({ refunds }: LedgerCharge): number {
  return refunds.reduce((sum, { status, amount }) => (status === 'succeeded' ? sum + amount : sum), 0)
}

/** Compares the refunds of a payment with those of its charge, with what the API shows, and with the events. */
export function checkRefunds(
  row: Row,
  charge: LedgerCharge | undefined,
  events: readonly PublicEvent[],
  shown: Shown | undefined,
  result: Result,
): void {
  const { faults, refunds: counts } = result
  const ledger = charge?.refunds ?? []
  counts.atProvider += ledger.length
  counts.inRecords += row.refunds.length
  checkSecond(row, ledger, result)
  if (charge !== undefined) checkSums(row, charge, shown, faults)
  for (const refund of ledger) {
    const ours = row.refunds.find(({ providerRefundId }) => providerRefundId === refund.id)
    if (refund.refundId === null) counts.fromDashboard += 1
    if (refund.status === 'failed') counts.failed += 1
    if (ours === undefined) {
      faults.push(`${row.id}: the provider's refund ${refund.id} of ${refund.amount} is in no record`)
      continue
    }
    const mustBe = statuses[refund.status] ?? refund.status
    if (ours.amount !== refund.amount || ours.status !== mustBe) {
      faults.push(
        `${row.id}: refund ${ours.id} is ${ours.amount} ${ours.status}, at the provider ${refund.amount} ${mustBe}`,
      )
    }
    if (refund.refundId !== null && refund.refundId !== ours.id) {
      faults.push(`${row.id}: refund ${ours.id} has the provider's refund of ${refund.refundId}`)
    }
    if (charge !== undefined) checkFee(row, charge, refund, faults)
  }
  for (const refund of row.refunds) checkRecord(row, refund, ledger, events, result)
  checkShown(row, shown, faults)
}

function checkSecond({ id }: Row, ledger: readonly LedgerRefund[], { faults, refunds }: Result): void {
  for (const [refundId, made] of Map.groupBy(ledger, (refund) => refund.refundId)) {
    if (refundId === null || made.length === 1) continue
    refunds.second += made.length - 1
    faults.push(`${id}: refund ${refundId} was made ${made.length} times`)
  }
}

function checkSums({ id }: Row, charge: LedgerCharge, shown: Shown | undefined, faults: string[]): void {
  const { amount, refunds } = charge
  const sum = refunds.reduce((all, refund) => (refund.status === 'failed' ? all : all + refund.amount), 0)
  if (sum > amount) faults.push(`${id}: refunds of ${sum} for a payment of ${amount}`)
  if (shown?.refundedAmount !== succeededSum(charge)) {
    faults.push(`${id}: shows ${shown?.refundedAmount} as refunded, the provider ${succeededSum(charge)}`)
  }
  if (shown?.paidAmount !== amount) faults.push(`${id}: shows ${shown?.paidAmount} as paid, the provider ${amount}`)
}

/** A refund of ours gives the fee back in proportion, the last one what is left of it; one from the dashboard keeps it. */
function checkFee({ id }: Row, charge: LedgerCharge, refund: LedgerRefund, faults: string[]): void {
  if (refund.status === 'failed') return
  const share = refund.refundId === null ? 0 : Math.floor((charge.fee * refund.amount) / charge.amount)
  const isLast = refund.refundId !== null && charge.amountRefunded === charge.amount
  if (refund.feeReturned !== share && !(isLast && refund.feeReturned > share)) {
    faults.push(`${id}: refund ${refund.id} gave back ${refund.feeReturned} of the fee, and not ${share}`)
  }
  if (charge.feeReturned > charge.fee) faults.push(`${id}: more of the fee was given back than was taken`)
}

function checkRecord(
  { id }: Row,
  refund: RefundRow,
  ledger: readonly LedgerRefund[],
  events: readonly PublicEvent[],
  result: Result,
): void {
  const { faults, refunds: counts } = result
  const isAtProvider = ledger.some((one) => one.id === refund.providerRefundId)
  if (refund.status === 'Created' || refund.status === 'Pending') {
    result.stuck += 1
    faults.push(`${id}: refund ${refund.id} is stuck as ${refund.status}`)
  }
  if (!isAtProvider) {
    counts.withdrawn += 1
    if (refund.status !== 'Failed')
      faults.push(`${id}: refund ${refund.id} is ${refund.status}, and the provider does not know it`)
  }
  const own = events.filter((event) => event.refundId === refund.id)
  const succeeded = own.filter(({ type }) => type === 'refund.succeeded').length
  const failed = own.filter(({ type }) => type === 'refund.failed').length
  // Whoever fails before we hear of its success has only failed.
  const isRight = refund.status === 'Succeeded' ? succeeded === 1 && failed === 0 : succeeded <= 1 && failed <= 1
  const isTold = refund.status !== 'Failed' || failed === (refund.listed ? 1 : 0)
  if (!isRight || !isTold) {
    faults.push(
      `${id}: refund ${refund.id} is ${refund.status}, with events ${own.map(({ type }) => type).join(', ') || 'none'}`,
    )
  }
}

function checkShown({ id, refunds }: Row, shown: Shown | undefined, faults: string[]): void {
  const listed = refunds.filter((refund) => refund.listed)
  for (const refund of listed) {
    const one = shown?.refunds.find((other) => other.id === refund.id)
    if (one?.status !== refund.status || one.amount !== refund.amount) {
      faults.push(`${id}: the API shows refund ${refund.id} as ${one?.amount} ${one?.status}`)
    }
  }
  if (shown !== undefined && shown.refunds.length !== listed.length) {
    faults.push(`${id}: the API shows ${shown.refunds.length} refunds, the database has ${listed.length}`)
  }
}

/** Compares the events about disputes with those of a charge. */
export function checkDisputes(
  { id }: Row,
  charge: LedgerCharge | undefined,
  events: readonly PublicEvent[],
  result: Result,
): void {
  const { faults } = result
  const disputes = charge?.disputes ?? []
  result.disputes += disputes.length
  for (const dispute of disputes) {
    const own = events.filter(({ disputeId }) => disputeId === dispute.id)
    if (!own.some(({ type }) => type === 'dispute.opened'))
      faults.push(`${id}: nobody was told of dispute ${dispute.id}`)
    const ends = own.filter(({ type }) => type === 'dispute.closed')
    const isOver = dispute.status === 'won' || dispute.status === 'lost'
    if (isOver && ends.at(-1)?.disputeOutcome !== dispute.status) {
      faults.push(
        `${id}: dispute ${dispute.id} was ${dispute.status}, and its last event says ${ends.at(-1)?.disputeOutcome}`,
      )
    }
  }
  const known = new Set(disputes.map((dispute) => dispute.id))
  for (const { type, disputeId } of events) {
    if (typeof disputeId === 'string' && !known.has(disputeId))
      faults.push(`${id}: ${type} of ${disputeId}, which is no dispute`)
  }
}

/** Compares what clients of refunds were told with what was made for them. */
export function checkRefundRequests(
  requests: readonly RequestedRefund[],
  rows: readonly Row[],
  faults: string[],
): void {
  const made = Map.groupBy(
    rows.flatMap((row) => row.refunds),
    (refund) => refund.reference ?? '',
  )
  for (const { name, manner, refundId, refused } of requests) {
    const own = made.get(name) ?? []
    if (own.length > 1) faults.push(`${name}: requested once, and ${own.length} refunds were made`)
    if (refused !== undefined) {
      if (own.some(({ listed }) => listed)) faults.push(`${name}: refused as ${refused}, and there is a refund`)
    } else if (manner === 'patient' && own[0]?.id !== refundId) {
      faults.push(`${name}: its client was told ${refundId}, and the refund is ${own[0]?.id}`)
    }
  }
}
