/**
 * Brings the database and the streams of one service up to date, before the service starts. Changes nothing if it has no
 * work to do. Each variable may be left out; then its part is skipped.
 *
 *   PAYMENTS_DATABASE_URL=... NATS_URL=... node scripts/provision.ts payments
 */
import process from 'node:process'
import {
  hasDatabase,
  isDatabaseCurrent,
  migrate,
  serviceNames,
  serviceVariable,
} from '@frontdesk/database/service-databases'
import { provisionEvents } from '@frontdesk/events'

const [service = ''] = process.argv.slice(2)
const databaseVariable = serviceVariable(service, 'DATABASE_URL')
const databaseUrl = hasDatabase(service) ? process.env[databaseVariable] : undefined
const natsUrl = process.env['NATS_URL']

async function provision(): Promise<void> {
  if (databaseUrl !== undefined) {
    if (!(await isDatabaseCurrent(service, databaseUrl))) await migrate(service, databaseUrl)
    console.log(`${service}: the database is up to date`)
  }
  if (natsUrl !== undefined) {
    for (const change of await provisionEvents(natsUrl, service)) console.log(`${service}: ${change}`)
    console.log(`${service}: streams and consumers are up to date`)
  }
}

function usageError(): string | undefined {
  const usage = 'Usage: SERVICE_DATABASE_URL=... NATS_URL=... node scripts/provision.ts <service>'
  if (service === '') return `${usage}\nServices: ${serviceNames().join(', ')}`
  if (!serviceNames().includes(service)) {
    return `There is no service "${service}". The services are ${serviceNames().join(', ')}.`
  }
  if (databaseUrl === undefined && natsUrl === undefined) {
    return `Set ${hasDatabase(service) ? `${databaseVariable}, NATS_URL or both` : 'NATS_URL'}.`
  }
  return undefined
}

const wrong = usageError()
if (wrong === undefined) {
  await provision().catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
} else {
  console.error(wrong)
  process.exitCode = 2
}
