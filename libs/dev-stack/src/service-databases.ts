import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const SERVICES = resolve(import.meta.dirname, '../../../services')

/** The folder of a service. */
export function serviceFolder(service: string): string {
  return join(SERVICES, service)
}

/** Names of all services, as their folders are named. */
export function serviceNames(): string[] {
  return readdirSync(SERVICES).filter((name) => existsSync(join(SERVICES, name, 'package.json')))
}

/** Whether a service has a database of its own. */
export function hasDatabase(service: string): boolean {
  return existsSync(migrationsFolder(service))
}

/** A service's migrations, which are SQL files in one folder each. */
export function migrationsFolder(service: string): string {
  return join(SERVICES, service, 'prisma', 'migrations')
}

/** The environment variable that names a service's setting, for instance `WEBHOOK_DELIVERY_DATABASE_URL`. */
export function serviceVariable(service: string, setting: string): string {
  return `${service.toUpperCase().replaceAll('-', '_')}_${setting}`
}

/** A short fingerprint of all that a service's migrations say: the same one means the same tables. */
export function migrationsFingerprint(service: string): string {
  const hash = createHash('sha256')
  const folder = migrationsFolder(service)
  for (const name of readdirSync(folder).toSorted()) {
    const file = join(folder, name, 'migration.sql')
    if (existsSync(file)) hash.update(name).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 12)
}

/** The same server and settings, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${encodeURIComponent(database)}`
  return changed.toString()
}

/**
 * Applies a service's migrations with `prisma migrate deploy`, exactly as production does. Makes the database if it
 * does not exist.
 *
 * @throws with what Prisma printed
 */
export async function migrate(service: string, databaseUrl: string): Promise<void> {
  const folder = serviceFolder(service)
  const prisma = createRequire(join(folder, 'package.json')).resolve('prisma/package.json')
  // Prisma starts its engine by way of `node` on PATH, which is to be the same Node.
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const run = promisify(execFile)
  await run(process.execPath, [join(dirname(prisma), 'build/index.js'), 'migrate', 'deploy'], {
    cwd: folder,
    env: { ...process.env, PATH: path, [serviceVariable(service, 'DATABASE_URL')]: databaseUrl },
  }).catch((error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`The migrations of ${service} failed:\n${error.stdout ?? ''}${error.stderr ?? error.message}`)
  })
}
