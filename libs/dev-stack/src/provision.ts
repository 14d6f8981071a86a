import { consumers, streams } from '@frontdesk/contracts'
import { hasMigration, newestMigration } from '@frontdesk/database'
import { ownedBy, provisionStreams } from '@frontdesk/events'
import { connect } from '@nats-io/transport-node'
import pg from 'pg'
import { migrate, migrationsFolder, withDatabase } from './service-databases.ts'
import type { Addresses } from './environment.ts'

type Say = (message: string) => void

/** Brings every stream, consumer and database of a constellation to what the code expects. */
export async function provisionAll(addresses: Addresses, say: Say): Promise<void> {
  const [changes] = await Promise.all([provisionEvents(addresses.natsUrl), provisionDatabases(addresses, say)])
  if (changes.length > 0) say(`streams and consumers are up to date (${changes.length} changes)`)
}

async function provisionDatabases({ databaseUrls }: Addresses, say: Say): Promise<void> {
  const databases = await Promise.all(
    Object.entries(databaseUrls).map(async ([service, url]) => ({
      service,
      url,
      isCurrent: await isDatabaseCurrent(service, url),
    })),
  )
  const stale = databases.filter(({ isCurrent }) => !isCurrent)
  if (stale.length === 0) return
  say(`applying the migrations of ${stale.map(({ service }) => service).join(', ')}`)
  await Promise.all(stale.map(({ service, url }) => migrate(service, url)))
  say('the databases are up to date')
}

/** Whether a service's database has what its code expects. Makes the database if it does not exist. */
export async function isDatabaseCurrent(service: string, databaseUrl: string): Promise<boolean> {
  const newest = newestMigration(migrationsFolder(service))
  return await makeDatabase(databaseUrl)
    .then(() => query(databaseUrl, (client) => hasMigration(client, newest)))
    .catch(() => false) // the migrations are tried then, and Prisma says best what is wrong
}

/** Makes the database if it does not exist. Prisma would, too, by way of a failed connection in the server's log. */
async function makeDatabase(databaseUrl: string): Promise<void> {
  const database = decodeURIComponent(new URL(databaseUrl).pathname.slice(1))
  await query(withDatabase(databaseUrl, 'postgres'), async (client) => {
    const known = await client.query('select 1 from pg_database where datname = $1', [database])
    if (known.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)}`)
  })
}

async function query<Result>(url: string, ask: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
  }
}

/**
 * Makes or updates every stream and consumer; those of one service, with what it reads, where one is named.
 *
 * @returns a line about each that was made or changed
 */
export async function provisionEvents(natsUrl: string, service?: string): Promise<string[]> {
  const changes: string[] = []
  const connection = await connect({ servers: natsUrl.split(','), name: 'provision' })
  try {
    const all = { streams, consumers: Object.values(consumers) }
    const wanted = service === undefined ? all : ownedBy(service, all)
    await provisionStreams(connection, wanted.streams, wanted.consumers, { report: (line) => changes.push(line) })
    return changes
  } finally {
    await connection.close()
  }
}
