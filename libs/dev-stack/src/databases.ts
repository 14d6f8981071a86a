import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolesOf } from '@frontdesk/database/roles'
import { ownerUrl, serviceVariable, withDatabase } from '@frontdesk/database/service-databases'
import { administratorPassword } from './servers/start-postgres.ts'
import { prepareServiceDatabase } from './servers/service-database.ts'
import { roleUrl } from './servers/role-urls.ts'
import type { Addresses } from './addresses.ts'

/** A service's database, as each of its users reaches it. */
export interface ServiceDatabase {
  /** For provisioning. */
  ownerUrl: string
  /** For people, tests and benches. */
  administratorUrl: string
}

/** Who reaches the databases of a dev stack, once its Postgres runs. */
export interface Databases {
  /** Maintenance database of our own Postgres, as its administrator. Without a password if others' databases are used. */
  postgresUrl: string
  byService: Readonly<Record<string, ServiceDatabase>>
}

/** Returns the file with the password of a service's runtime role. */
export function passwordFile(home: string, service: string): string {
  return join(home, 'keys', 'postgres', service)
}

/**
 * Creates the roles, databases and password files of the services that have no `*_DATABASE_URL`, unless they exist.
 *
 * @param home the state folder
 */
export async function openDatabases(home: string, addresses: Addresses): Promise<Databases> {
  const own = Object.keys(addresses.databaseUrls).filter((service) => !addresses.givenDatabases.includes(service))
  const postgresUrl = new URL(addresses.postgresUrl)
  if (own.length > 0) postgresUrl.password = await administratorPassword(addresses.postgresDataDir)
  const url = postgresUrl.toString()
  mkdirSync(join(home, 'keys', 'postgres'), { recursive: true, mode: 0o700 })
  await Promise.all(
    own.map(async (service) => {
      await prepareServiceDatabase(service, url)
      const { database, runtime } = rolesOf(service)
      writeFileSync(passwordFile(home, service), new URL(roleUrl(url, runtime, database)).password, { mode: 0o600 })
    }),
  )
  const byService = Object.entries(addresses.databaseUrls).map(([service, given]) => {
    const { database, owner } = rolesOf(service)
    if (!own.includes(service))
      return [service, { ownerUrl: ownerUrl(service, process.env) ?? given, administratorUrl: given }] as const
    const ours = { ownerUrl: roleUrl(url, owner, database), administratorUrl: withDatabase(url, database) }
    return [service, ours] as const
  })
  return { postgresUrl: url, byService: Object.fromEntries(byService) }
}

/** Returns the password file of a service with a database of its own choice, if it has one. */
export function givenPasswordFile(service: string): string | undefined {
  return process.env[serviceVariable(service, 'DATABASE_PASSWORD_FILE')]
}
