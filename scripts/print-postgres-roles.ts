/**
 * Prints the SQL that creates the roles and databases of the services, for an administrator to run once with psql, and again
 * after a restore or when a service joins. It changes no row, and may be repeated (docs/running.md):
 *
 *   node scripts/print-postgres-roles.ts [SERVICE...] | psql postgresql://administrator@host/postgres
 */
import process from 'node:process'
import {
  connectStatements,
  databaseStatement,
  maintenanceStatements,
  rolesOf,
  roleStatements,
  takeOverStatement,
} from '@frontdesk/database/roles'
import { hasDatabase, serviceNames } from '@frontdesk/database/service-databases'

const known = serviceNames().filter(hasDatabase)
const asked = process.argv.slice(2)
const unknown = asked.filter((service) => !known.includes(service))

/** Returns the lines for one service. The database is created outside of a transaction, if it does not exist. */
function linesOf(service: string): string[] {
  const { owner, runtime, database } = rolesOf(service)
  const absent = `where not exists (select from pg_database where datname = '${database}')`
  return [
    `-- ${service}: ${owner} applies the migrations, ${runtime} runs the service.`,
    ...ended(roleStatements(service)),
    `select '${databaseStatement(service, database)}' ${absent} \\gexec`,
    ...ended(connectStatements(service, database)),
    `\\connect ${database}`,
    ...ended([takeOverStatement(service)]),
    `\\connect postgres`,
    '',
  ]
}

function ended(statements: readonly string[]): string[] {
  return statements.map((statement) => `${statement};`)
}

if (unknown.length > 0) {
  console.error(`No database belongs to ${unknown.join(', ')}. The services with one are ${known.join(', ')}.`)
  process.exitCode = 2
} else {
  const services = asked.length === 0 ? known.filter((service) => service !== 'sandbox-provider') : asked
  const lines = [
    '\\set ON_ERROR_STOP on',
    '-- Then give each role a password: \\password payments_runtime',
    '-- An administrator who is no superuser (managed Postgres) must be a member of the owner roles: grant payments_owner to current_user;',
    ...ended(maintenanceStatements()),
    '',
    ...services.flatMap(linesOf),
  ]
  console.log(lines.join('\n'))
}
