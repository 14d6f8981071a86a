import { isDatabaseCurrent, migrate } from '@frontdesk/database/service-databases'
import { provisionEvents } from '@frontdesk/events'
import type { Addresses } from './addresses.ts'
import type { Credentials } from './services/credentials.ts'

type Say = (message: string) => void

/** Brings the streams, consumers and databases of the dev stack up to date. */
export async function provision(addresses: Addresses, { bus }: Credentials, say: Say): Promise<void> {
  const [changes] = await Promise.all([
    provisionEvents(bus.settings(addresses.natsUrl, 'provisioner'), { env: process.env }),
    migrateAll(addresses, say),
  ])
  if (changes.length > 0) say(`streams and consumers are up to date (${changes.length} changes)`)
}

async function migrateAll({ databaseUrls }: Addresses, say: Say): Promise<void> {
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
