import type { Money } from './audit.ts'
import { kindsOf, type KindOfFault } from './kinds.ts'
import type { SoakOptions, SoakResult } from './soak.ts'

/** Returns the report of a soak as lines; the last one is the verdict. */
export function reportOf({ payments, seed }: Pick<SoakOptions, 'payments' | 'seed'>, result: SoakResult): string[] {
  const { audit, faultsMet, kills, seconds } = result
  const { requested, charges, refunds, departed, money, events, webhooks } = audit
  const faults = audit.faults.length
  return [
    '',
    `Soak of ${payments} payments, seed ${seed}`,
    row('payments made in', `${seconds.payments.toFixed(0)} s, settled in ${seconds.settling.toFixed(0)} s`),
    row('kills', listed(kills)),
    row('faults of the provider', listed(faultsMet.api)),
    row('faults of its webhooks', listed(faultsMet.webhooks)),
    '',
    row('requested', `${payments}: ${listed(requested)}`),
    row('records', `${audit.rows}, of which ${audit.withdrawn} were never sent (the client was told 503)`),
    row('checkouts at the provider', `${audit.checkouts}, of which nobody got the address of ${audit.spare}`),
    ...[...audit.statuses]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([status, count]) => row('', `${String(count).padStart(6)}  ${status}`)),
    row(
      'charges',
      `${charges.succeeded} took money, ${charges.failed} were refused; second charges: ${charges.second}`,
    ),
    row(
      'refunds',
      `${refunds.atProvider} at the provider (${refunds.fromDashboard} from its dashboard, ${refunds.failed} failed), ` +
        `${refunds.inRecords} in the records (${refunds.withdrawn} never made); second refunds: ${refunds.second}`,
    ),
    row('disputes', `${audit.disputes}`),
    row(
      'disconnected practices',
      `${departed.practices} with ${departed.payments} payments, of which ${departed.completed} completed`,
    ),
    row('at the provider', moneyOf(money.atProvider)),
    row('in the records', moneyOf(money.inRecords)),
    row(
      'events',
      `${events.outcomes} outcomes, ${events.others} of refunds and disputes; second outcomes: ${events.second}; not published: ${events.unpublished}`,
    ),
    row(
      'webhooks',
      `${webhooks.distinct} webhook-ids in ${webhooks.posts} posts; under unknown ids: ${webhooks.unknown}; missing: ${webhooks.missing}`,
    ),
    row('paid until recorded', latenessOf(audit.recordedAfterMs)),
    row('stuck', `${audit.stuck}`),
    ...kindsOf(audit.faults).flatMap(describeKind),
    '',
    `soak ${faults === 0 ? 'PASSED' : 'FAILED'}: ${payments} payments, ${audit.checkouts} checkouts, ${refunds.atProvider} refunds, ` +
      `${charges.second} second charges, ${refunds.second} second refunds, ${events.second} second outcomes, ${audit.stuck} stuck, ${faults} faults`,
  ]
}

/** Shows how many faults there are of a kind, and three of them. */
function describeKind({ kind, faults }: KindOfFault): string[] {
  return [
    `  FAULTS ${faults.length} x ${kind}`,
    ...faults.slice(0, 3).map((fault) => `    ${fault.replaceAll('\n', '\n      ')}`),
  ]
}

function latenessOf(milliseconds: readonly number[]): string {
  if (milliseconds.length === 0) return 'nothing was paid'
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const seconds = (share: number) => ((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) / 1_000).toFixed(1)
  return `p50 ${seconds(0.5)} s, p99 ${seconds(0.99)} s, max ${seconds(1)} s, of ${sorted.length}`
}

function moneyOf({ taken, refunded, fees }: Money): string {
  return `${taken} taken, ${refunded} given back, fees ${fees} (minor units)`
}

function row(name: string, value: string): string {
  return `  ${name.padEnd(26)}${value}`
}

function listed(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts)
  return entries.length === 0 ? 'none' : entries.map(([name, count]) => `${name} ${count}`).join(', ')
}
