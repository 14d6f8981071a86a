import { payableStatuses, type Payment } from './domain.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The provider forgets an idempotency key after 24 h: sent again later, the request would make a second checkout. */
export const resendWithinMs = 23 * hour
/** A row this young may still be in the hands of the request that made it (a provider call has 8 s). */
export const settledAfterMs = 15 * second

/** Money on its way (bank debits) is asked for until a month has gone; after that the alert by age remains. */
const daysOfProcessing = 30

/**
 * When the provider is to be asked about a payment next (reference payments.md 2d, "Heal a lost webhook"); undefined
 * where its webhooks and the reads of clients are enough.
 */
export function nextCheck(payment: Payment, now: Date): Date | undefined {
  if (payment.status === 'Created') return new Date(now.getTime() + minute)
  const isPayable = payableStatuses.includes(payment.status)
  // Whoever asked for it is at work on it; should that be lost, the check expires the checkout.
  if (isPayable && payment.cancelling !== undefined) return new Date(now.getTime() + 15 * second)
  if (!isPayable && payment.status !== 'Processing') return undefined
  const next = schedule(payment).find((time) => time > now.getTime())
  return next === undefined ? undefined : new Date(next)
}

function schedule(payment: Payment): number[] {
  const created = payment.createdAt.getTime()
  const ended = lastMoment(payment)
  const soon = [minute, 5 * minute, 15 * minute, hour, 6 * hour].map((wait) => created + wait)
  const days = payment.status === 'Processing' ? daysOfProcessing : 3
  return [...soon, ended, ...Array.from({ length: days }, (_, index) => ended + (index + 1) * day)]
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

/** How long a provider's answer is good enough for a read of a client; undefined: for ever. */
export function freshForMs(payment: Payment): number | undefined {
  switch (payment.status) {
    case 'Created':
    case 'Pending':
    case 'Declined':
    case 'Processing':
      return 15 * second
    // Refunds and disputes are rare and told by webhooks.
    case 'Completed':
    case 'PartiallyRefunded':
    case 'Disputed':
      return 10 * minute
    default:
      return undefined
  }
}
