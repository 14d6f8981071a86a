import type { AccountStatus } from '@frontdesk/contracts'
import type { Account } from './domain.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** After the last change. Webhooks tell of changes within seconds; these checks are for the ones that got lost. */
const checks = [minute, 5 * minute, 15 * minute, hour, 6 * hour, day, 2 * day, 3 * day, 7 * day, 14 * day]

/** The provider forgets an idempotency key after 24 h: sent again later, the order would make a second account. */
export const confirmWithinMs = 23 * hour

/** Statuses in which the provider is expected to say more. The others are asked about when somebody looks. */
const inMotion: readonly AccountStatus[] = ['None', 'Pending', 'ActionRequired']

/** When the provider is to be asked about an account next; undefined where there is nothing to wait for. */
export function nextCheck(account: Account, changedAt: Date, now: Date): Date | undefined {
  if (account.deletedAt !== undefined || !inMotion.includes(account.status)) return undefined
  const next = checks.map((wait) => changedAt.getTime() + wait).find((time) => time > now.getTime())
  return next === undefined ? undefined : new Date(next)
}
