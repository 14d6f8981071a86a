import process from 'node:process'
import { isDatabaseCurrent, migrate, provisionEvents } from '@frontdesk/dev-stack'

// Brings what one service needs up to date, so that it can be started alone:
//   PAYMENTS_DATABASE_URL=... NATS_URL=... node scripts/provision.ts payments

const [service] = process.argv.slice(2)
const variable = `${service?.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`
const databaseUrl = process.env[variable]
const natsUrl = process.env['NATS_URL']

async function provision(name: string): Promise<void> {
  if (databaseUrl !== undefined) {
    if (!(await isDatabaseCurrent(name, databaseUrl))) await migrate(name, databaseUrl)
    console.log(`${name}: the database is up to date`)
  }
  if (natsUrl !== undefined) {
    for (const change of await provisionEvents(natsUrl, name)) console.log(`${name}: ${change}`)
    console.log(`${name}: streams and consumers are up to date`)
  }
}

if (service === undefined || (databaseUrl === undefined && natsUrl === undefined)) {
  console.error('Usage: X_DATABASE_URL=... NATS_URL=... node scripts/provision.ts x   (x is the name of a service)')
  process.exitCode = 2
} else {
  await provision(service).catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
