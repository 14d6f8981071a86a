import type { AccountStatus } from '@frontdesk/contracts'
import type { Account } from './domain.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Times after the last change. Webhooks announce changes within seconds; these checks make up for lost webhooks. */
const checks = [minute, 5 * minute, 15 * minute, hour, 6 * hour, day, 2 * day, 3 * day, 7 * day, 14 * day]

/** The provider forgets an idempotency key after 24 h; repeated later, the request would create a second account. */
export const confirmWithinMs = 23 * hour

/** Statuses that the provider is expected to change. Accounts in any other are checked when somebody reads them. */
const unsettled: readonly AccountStatus[] = ['None', 'Pending', 'ActionRequired']

/** Returns when to check an account at the provider next; undefined if no change is expected. */
export function nextCheck(account: Account, changedAt: Date, now: Date): Date | undefined {
  if (account.deletedAt !== undefined || !unsettled.includes(account.status)) return undefined
  const next = checks.map((wait) => changedAt.getTime() + wait).find((time) => time > now.getTime())
  return next === undefined ? undefined : new Date(next)
}
