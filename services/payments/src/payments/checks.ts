import { parseSchedule } from '@frontdesk/service/process'
import { payableStatuses, type Payment } from './domain.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/**
 * Waits in milliseconds, ascending, from a payment's creation to each of its first checks (reference payments.md 2d,
 * "Heal a lost webhook"). The first is also how long one of unknown outcome waits before it is sent again, and how long
 * a check that failed waits for its next try: longer than a request is at work on a payment, or they meet.
 */
export type CheckSchedule = readonly [number, ...number[]]

/** Reads a schedule such as `1m,5m,15m,1h,6h`. Throws RangeError where it is none, or does not ascend. */
export function parseCheckSchedule(text: string): CheckSchedule {
  const [first = 0, ...others] = parseSchedule(text)
  const waits: CheckSchedule = [first, ...others]
  if (waits.some((wait, index) => wait <= (waits[index - 1] ?? 0))) throw new RangeError(`${text} does not ascend`)
  return waits
}

/** The provider forgets an idempotency key after 24 h: sent again later, the request would make a second checkout. */
export const resendWithinMs = 23 * hour
/** A row this young may still be in the hands of the request that made it (a provider call has 8 s). */
export const settledAfterMs = 15 * second

/** Money on its way (bank debits) is asked for until a month has gone; after that the alert by age remains. */
const daysOfProcessing = 30

/**
 * When the provider is to be asked about a payment next; undefined where its webhooks and the reads of clients are enough.
 */
export function nextCheck(payment: Payment, now: Date, schedule: CheckSchedule): Date | undefined {
  const [first] = schedule
  if (payment.status === 'Created') return new Date(now.getTime() + first)
  const isPayable = payableStatuses.includes(payment.status)
  // Whoever asked for it is at work on it; should that be lost, the check expires the checkout.
  if (isPayable && payment.cancelling !== undefined) return new Date(now.getTime() + soonMs(schedule))
  if (!isPayable && payment.status !== 'Processing') return undefined
  const next = times(payment, schedule).find((time) => time > now.getTime())
  return next === undefined ? undefined : new Date(next)
}

/** The wait for a check that there is a reason for, but whose provider or request may need a moment. */
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

/** When a checkout has surely run out. */
function lastMoment({ createdAt, expiresAt }: Payment): number {
  return (expiresAt?.getTime() ?? createdAt.getTime() + day) + 2 * minute
}

/** Whether the provider had every chance to tell what became of a payment. */
export function isOverdue(payment: Payment, now: Date): boolean {
  if (payment.status === 'Created') return now.getTime() - payment.createdAt.getTime() > resendWithinMs
  return now.getTime() > lastMoment(payment) + 3 * day
}

/**
 * How long a provider's answer is good enough for a read of a client, in milliseconds; undefined: for ever. What is paid
 * changes rarely (refunds, disputes) and is told by webhooks: it is asked for again after a tenth of the time that it
 * has not changed, so that a report over old payments is not a storm of requests at the provider.
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
    case 'Disputed':
      return Math.min(Math.max(unchangedForMs / 10, 15 * second), hour)
    default:
      return undefined
  }
}
