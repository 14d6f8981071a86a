import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { clientConfig, migrationUrl, withPassword } from './login.ts'
import { hasMigration, newestMigration } from './migrations.ts'
import { grantStatement } from './roles.ts'

const SERVICES = resolve(import.meta.dirname, '../../../services')
const PRISMA = join(dirname(createRequire(import.meta.url).resolve('prisma/package.json')), 'build/index.js')

/** Lists the services by the names of their folders. */
export function serviceNames(): string[] {
  return readdirSync(SERVICES).filter((name) => existsSync(join(SERVICES, name, 'package.json')))
}

export function serviceFolder(service: string): string {
  return join(SERVICES, service)
}

export function migrationsFolder(service: string): string {
  return join(SERVICES, service, 'prisma', 'migrations')
}

/** Whether a service has a database of its own. */
export function hasDatabase(service: string): boolean {
  return existsSync(migrationsFolder(service))
}

/** Returns the environment variable with a service's setting, such as `WEBHOOK_DELIVERY_DATABASE_URL`. */
export function serviceVariable(service: string, setting: string): string {
  return `${prefixOf(service)}_${setting}`
}

function prefixOf(service: string): string {
  return service.toUpperCase().replaceAll('-', '_')
}

/** Returns the URL by which a service's migrations are applied, from the environment; undefined if it has none. */
export function ownerUrl(service: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  return migrationUrl(prefixOf(service), env)
}

/** Returns the URL of another database on the same server, with the same settings. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${encodeURIComponent(database)}`
  return changed.toString()
}

/** Whether a service's database has the newest migration. Creates the database if it does not exist and the role may. */
export async function isDatabaseCurrent(service: string, databaseUrl: string): Promise<boolean> {
  const newest = newestMigration(migrationsFolder(service))
  const ask = () => query(databaseUrl, (client) => hasMigration(client, newest))
  return await ask()
    .catch(async (error: unknown) => {
      if (!isMissing(error)) throw error
      await createDatabase(databaseUrl)
      return await ask()
    })
    .catch(() => false) // The caller then migrates, and Prisma explains best what is wrong.
}

/**
 * Gives a service's runtime role its rights, which tables of new migrations may lack. Does nothing unless the URL is that of
 * the service's owner role, and the runtime role exists.
 */
export async function grantRuntime(service: string, ownerUrl: string): Promise<void> {
  await query(ownerUrl, (client) => client.query(grantStatement(service)))
}

/**
 * Applies a service's migrations with `prisma migrate deploy`, then grants the runtime role what they have made. Creates
 * the database if it does not exist and the role may.
 *
 * @param databaseUrl as the service's owner role
 * @throws Error with Prisma's output
 */
export async function migrate(service: string, databaseUrl: string): Promise<void> {
  // Prisma starts its engine with the first `node` on PATH: that must be this Node.
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  await promisify(execFile)(process.execPath, [PRISMA, 'migrate', 'deploy'], {
    cwd: serviceFolder(service),
    env: {
      ...process.env,
      PATH: path,
      [serviceVariable(service, 'OWNER_DATABASE_URL')]: withPassword(databaseUrl),
    },
  }).catch((error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`The migrations of ${service} failed:\n${error.stdout ?? ''}${error.stderr ?? error.message}`)
  })
  await grantRuntime(service, databaseUrl)
}

function isMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '3D000'
}

/** Creates the database unless it exists. Prisma would do so too, but only after an error in the server's log. */
async function createDatabase(databaseUrl: string): Promise<void> {
  const database = decodeURIComponent(new URL(databaseUrl).pathname.slice(1))
  await query(withDatabase(databaseUrl, 'postgres'), async (client) => {
    const known = await client.query('select 1 from pg_database where datname = $1', [database])
    if (known.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)}`)
  })
}

async function query<Result>(url: string, ask: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(clientConfig(url))
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
  }
}
