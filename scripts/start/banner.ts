import { join, relative } from 'node:path'
import process from 'node:process'
import { scopes } from '@frontdesk/contracts'
import type { DevelopmentClient, DevFile } from '@frontdesk/dev-stack'

/** Returns the text after a start: addresses, credentials, the next commands. */
export function banner(dev: DevFile, home: string, seconds: number): string {
  const devFile = relative(process.cwd(), join(home, 'dev.json'))
  const logs = relative(process.cwd(), join(home, 'logs'))
  const rows = [
    ['Client', 'Secret', 'Practice systems', 'Scopes'],
    ...dev.clients.map((client) => [
      client.id,
      client.secret,
      client.practiceManagementSoftware.join(', '),
      scopesInWords(client),
    ]),
  ]
  return [
    '',
    `Frontdesk is ready (${seconds.toFixed(1)} s).`,
    '',
    `  API        ${dev.gateway}        documentation: ${dev.gateway}/docs/`,
    `  Token      ${dev.gateway}/oauth2/token`,
    `  Sandbox    ${dev.sandbox}        the stand-in for the payment provider`,
    `  NATS       ${dev.nats.url}`,
    `  Postgres   ${dev.postgres.url}`,
    '',
    ...table(rows).map((row) => `  ${row}`),
    '',
    `  ${devFile} has all of this. Ctrl-C stops everything and keeps the state.`,
    `  Only warnings and errors follow here: ${logs} has every line, and npm start -- --verbose prints them.`,
    '',
    '  Next, in another terminal:  npm run trigger -- payment.succeeded',
    `  and see its webhook here:   ${dev.sandbox}/inbox`,
    '  The whole story:            npm run demo',
    '  A checkout in a page:       npm run demo -- embedded',
    '',
  ].join('\n')
}

function scopesInWords(client: DevelopmentClient): string {
  return client.scopes.length === scopes.length ? 'all' : client.scopes.join(' ')
}

function table(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
