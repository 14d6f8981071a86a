import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { grantStatement, rolesOf } from '@frontdesk/database/roles'
import { migrate, migrationsFolder } from '@frontdesk/database/service-databases'
import { prepareServiceDatabase, roleUrl } from '@frontdesk/dev-stack/servers'
import pg from 'pg'

/** Returns the name of the template of a service's test databases. The first process that needs it creates it. */
export async function templateDatabase(service: string, serverUrl: string): Promise<string> {
  const name = `template_${service.replaceAll('-', '_')}_${migrationsHash(service)}`
  const client = new pg.Client(serverUrl)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const known = await client.query('select 1 from pg_database where datname = $1 and datistemplate', [name])
    if (known.rowCount) return name
    await client.query(`drop database if exists "${name}" with (force)`)
    await prepareServiceDatabase(service, serverUrl, name)
    await migrate(service, roleUrl(serverUrl, rolesOf(service).owner, name))
    // Postgres refuses to copy a database while anybody is connected to it.
    await client.query(`alter database "${name}" with is_template true allow_connections false`)
    return name
  } finally {
    await client.end() // releases the lock
  }
}

/** Returns a short hash of a service's migrations and grants: equal hashes mean equal tables and rights. */
export function migrationsHash(service: string): string {
  const hash = createHash('sha256').update(grantStatement(service))
  const folder = migrationsFolder(service)
  for (const name of readdirSync(folder).toSorted()) {
    const file = join(folder, name, 'migration.sql')
    if (existsSync(file)) hash.update(name).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 12)
}

/** Runs statements one after the other, on a connection of their own. */
export async function runStatements(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
