import {
  connectStatements,
  databaseStatement,
  maintenanceStatements,
  rolesOf,
  roleStatements,
  takeOverStatement,
} from '@frontdesk/database/roles'
import { withDatabase } from '@frontdesk/database/service-databases'
import pg from 'pg'
import { roleUrl } from './role-urls.ts'

/**
 * Creates a service's roles, with their passwords, and its database, on a Postgres of ours. It does what an operator does
 * with `scripts/print-postgres-roles.ts`. Nothing happens if the owner role owns the database already.
 */
export async function prepareServiceDatabase(
  service: string,
  administratorUrl: string,
  database = rolesOf(service).database,
): Promise<void> {
  const { owner, runtime } = rolesOf(service)
  await using administrator = await connected(administratorUrl)
  const found = await administrator.client.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [database],
  )
  if (found.rows[0]?.owner === owner) return
  const statements = [...roleStatements(service), ...maintenanceStatements()]
  for (const role of [owner, runtime]) {
    const { password } = new URL(roleUrl(administratorUrl, role, database))
    statements.push(`alter role ${pg.escapeIdentifier(role)} password ${pg.escapeLiteral(password)}`)
  }
  if (found.rows.length === 0) statements.push(databaseStatement(service, database))
  // Services are prepared side by side, and Postgres refuses two changes of one database's or role's rights at once.
  await administrator.client.query(`select pg_advisory_lock(hashtextextended('frontdesk roles', 0))`)
  for (const statement of [...statements, ...connectStatements(service, database)])
    await administrator.client.query(statement)
  await using inside = await connected(withDatabase(administratorUrl, database))
  await inside.client.query(takeOverStatement(service))
}

async function connected(url: string): Promise<{ client: pg.Client } & AsyncDisposable> {
  const client = new pg.Client(url)
  await client.connect()
  return { client, [Symbol.asyncDispose]: () => client.end() }
}
