import { parseSchedule } from '@frontdesk/service/process'
import { payableStatuses, type Payment } from './domain.ts'
import { nextRefundCheck } from './refund-schedule.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/**
 * Waits in milliseconds, ascending, from a payment's creation to each of its first checks. The first is also the wait
 * before a payment of unknown outcome is sent again, and before a failed check is tried again. It must exceed the longest
 * request; otherwise check and request race.
 */
export type CheckSchedule = readonly [number, ...number[]]

/** Reads a schedule such as `1m,5m,15m,1h,6h`. Throws RangeError if it is none, or does not ascend. */
export function parseCheckSchedule(text: string): CheckSchedule {
  const [first = 0, ...others] = parseSchedule(text)
  const waits: CheckSchedule = [first, ...others]
  if (waits.some((wait, index) => wait <= (waits[index - 1] ?? 0))) throw new RangeError(`${text} does not ascend`)
  return waits
}

/** For how long a request is sent again if its provider is no longer there to tell. */
const resendWithinMs = 23 * hour
/** A payment this young may still be in the hands of the request that creates it (a provider call has 8 s). */
export const longestRequestMs = 15 * second

/** The provider is asked about money on its way (bank debits) for a month; after that only the alert by age remains. */
const daysOfProcessing = 30

/**
 * Returns when to ask the provider about a payment or its refunds next; undefined if webhooks and the reads of clients
 * suffice.
 */
export function nextCheck(payment: Payment, now: Date, schedule: CheckSchedule): Date | undefined {
  const own = nextOwnCheck(payment, now, schedule)
  const ofRefunds = nextRefundCheck(payment.refunds, now, schedule)
  if (own === undefined || ofRefunds === undefined) return own ?? ofRefunds
  return own < ofRefunds ? own : ofRefunds
}

function nextOwnCheck(payment: Payment, now: Date, schedule: CheckSchedule): Date | undefined {
  const [first] = schedule
  if (payment.status === 'Created') return new Date(now.getTime() + first)
  const isPayable = payableStatuses.includes(payment.status)
  // The request that cancels it also expires the checkout. The check does so if that request is lost.
  const isReachable = payment.unreachableSince === undefined
  if (isPayable && isReachable && payment.cancelling !== undefined) return new Date(now.getTime() + soonMs(schedule))
  if (!isPayable && payment.status !== 'Processing') return undefined
  const next = times(payment, schedule).find((time) => time > now.getTime())
  return next === undefined ? undefined : new Date(next)
}

/** Returns the wait in milliseconds for a check that has a reason, but whose provider or request may need a moment. */
export function soonMs([first]: CheckSchedule): number {
  return Math.min(first, 15 * second)
}

function times(payment: Payment, schedule: CheckSchedule): number[] {
  const created = payment.createdAt.getTime()
  const ended = lastMoment(payment)
  const days = payment.status === 'Processing' ? daysOfProcessing : 3
  return [
    ...schedule.map((wait) => created + wait),
    ended,
    ...Array.from({ length: days }, (_, index) => ended + (index + 1) * day),
  ]
}

/** Returns when a checkout has surely expired. */
function lastMoment({ createdAt, expiresAt }: Payment): number {
  return (expiresAt?.getTime() ?? createdAt.getTime() + day) + 2 * minute
}

/**
 * Whether the provider has had every chance to tell the outcome of a payment. A `Created` one may be sent again for
 * `windowMs`, while the provider knows its key: later it would make a second checkout.
 */
export function isOverdue(payment: Payment, now: Date, windowMs: number = resendWithinMs): boolean {
  if (payment.status === 'Created') return now.getTime() - payment.createdAt.getTime() > windowMs
  return now.getTime() > lastMoment(payment) + 3 * day
}

/**
 * Returns for how many milliseconds a provider's answer is fresh enough for a client's read; undefined: for ever. A paid
 * payment changes rarely (refunds, disputes), and webhooks tell. It is asked about again after a tenth of the time since
 * its last change, so that a report over old payments does not flood the provider.
 */
export function freshForMs({ status }: Payment, unchangedForMs: number): number | undefined {
  switch (status) {
    case 'Created':
    case 'Pending':
    case 'Declined':
    case 'Processing':
      return 15 * second
    case 'Completed':
    case 'PartiallyRefunded':
    case 'Refunded':
    case 'Disputed':
    case 'ChargedBack':
      return Math.min(Math.max(unchangedForMs / 10, 15 * second), hour)
    default:
      return undefined
  }
}
