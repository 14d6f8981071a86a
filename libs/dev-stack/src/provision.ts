import { grantRuntime, isDatabaseCurrent, migrate } from '@frontdesk/database/service-databases'
import { provisionEvents } from '@frontdesk/events'
import type { Addresses } from './addresses.ts'
import type { Databases } from './databases.ts'
import type { Credentials } from './services/credentials.ts'

type Say = (message: string) => void

/** Brings the streams, consumers and databases of the dev stack up to date. */
export async function provision(
  addresses: Addresses,
  { bus }: Credentials,
  databases: Databases,
  say: Say,
): Promise<void> {
  const [changes] = await Promise.all([
    provisionEvents(bus.settings(addresses.natsUrl, 'provisioner'), { env: process.env }),
    migrateAll(databases, say),
  ])
  if (changes.length > 0) say(`streams and consumers are up to date (${changes.length} changes)`)
}

async function migrateAll({ byService }: Databases, say: Say): Promise<void> {
  const found = await Promise.all(
    Object.entries(byService).map(async ([service, { ownerUrl: url }]) => {
      const isCurrent = await isDatabaseCurrent(service, url)
      if (isCurrent) await grantRuntime(service, url)
      return { service, url, isCurrent }
    }),
  )
  const stale = found.filter(({ isCurrent }) => !isCurrent)
  if (stale.length === 0) return
  say(`applying the migrations of ${stale.map(({ service }) => service).join(', ')}`)
  await Promise.all(stale.map(({ service, url }) => migrate(service, url)))
  say('the databases are up to date')
}
