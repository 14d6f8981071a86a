import type { SoakOptions, SoakResult } from './soak.ts'

/** The ledger of a soak, for a person to read, and its verdict in the last line. */
export function reportOf({ payments, seed }: Pick<SoakOptions, 'payments' | 'seed'>, result: SoakResult): string[] {
  const { audit, faultsMet, kills, seconds } = result
  const { asked, charges, money, events, deliveries } = audit
  const faults = audit.faults.length
  return [
    '',
    `Soak of ${payments} payments, seed ${seed}`,
    row('played in', `${seconds.play.toFixed(0)} s, settled in ${seconds.settling.toFixed(0)} s`),
    row('kills', listed(kills)),
    row('faults of the provider', listed(faultsMet.api)),
    row('faults of its webhooks', listed(faultsMet.webhooks)),
    '',
    row('asked for', `${payments}: ${listed(asked)}`),
    row('records', `${audit.rows}, of which ${audit.withdrawn} were never sent (the client was told 503)`),
    row('checkouts at the provider', `${audit.checkouts}`),
    ...[...audit.standings]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([standing, count]) => row('', `${String(count).padStart(6)}  ${standing}`)),
    row(
      'charges',
      `${charges.succeeded} took money, ${charges.failed} were refused; second charges: ${charges.second}`,
    ),
    row('money (minor units)', `${money.atProvider} at the provider, ${money.inRecords} in the records`),
    row('outcome events', `${events.outcomes}; second ones: ${events.second}; not published: ${events.unpublished}`),
    row(
      'deliveries',
      `${deliveries.distinct} webhook-ids in ${deliveries.posts} posts; under two ids: ${deliveries.twoIds}; missing: ${deliveries.missing}`,
    ),
    row('stuck', `${audit.stuck}`),
    ...audit.faults.slice(0, 40).map((fault) => `  FAULT ${fault}`),
    ...(faults > 40 ? [`  ... and ${faults - 40} more`] : []),
    '',
    `soak ${faults === 0 ? 'PASSED' : 'FAILED'}: ${payments} payments, ${audit.checkouts} checkouts, ${charges.second} second charges, ` +
      `${events.second} second outcomes, ${audit.stuck} stuck, ${faults} faults`,
  ]
}

function row(name: string, value: string): string {
  return `  ${name.padEnd(26)}${value}`
}

function listed(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts)
  return entries.length === 0 ? 'none' : entries.map(([name, count]) => `${name} ${count}`).join(', ')
}
