import type { Refund } from './domain.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Banks take days. After a month only the alert by age remains. */
const daysOfWaiting = 30

/**
 * Returns when to ask the provider about a payment's refunds next: about those that are under way, and those of which we do
 * not know whether the provider has them. Undefined if there is none, or it was asked for a month.
 */
export function nextRefundCheck(refunds: readonly Refund[], now: Date, schedule: readonly number[]): Date | undefined {
  const times = refunds.filter(isUnderWay).flatMap((refund) => timesOf(refund, now.getTime(), schedule))
  const next = times.filter((time) => time > now.getTime())
  return next.length === 0 ? undefined : new Date(Math.min(...next))
}

function timesOf({ status, createdAt }: Refund, now: number, schedule: readonly number[]): number[] {
  const created = createdAt.getTime()
  // As with a payment of unknown outcome. By its age alone a refund would wait half a day if all early checks met a busy provider.
  const again = status === 'Created' && now - created < day ? [now + (schedule[0] ?? minute)] : []
  return [
    ...again,
    ...schedule.map((wait) => created + wait),
    created + 12 * hour,
    created + 20 * hour,
    ...Array.from({ length: daysOfWaiting }, (_, index) => created + (index + 1) * day + minute),
  ]
}

/** Whether the provider will tell more about a refund. */
export function isUnderWay({ status }: Refund): boolean {
  return status === 'Created' || status === 'Pending'
}
