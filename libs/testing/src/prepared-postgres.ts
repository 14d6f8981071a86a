import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { connectStatements, databaseStatement, rolesOf } from '@frontdesk/database/roles'
import { hasDatabase, serviceNames } from '@frontdesk/database/service-databases'
import { startPostgres } from '@frontdesk/dev-stack/servers'
import { migrationsHash, runStatements, templateDatabase } from './template-database.ts'
import { throwAwayFolder } from './throw-away-folder.ts'

const CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/frontdesk/postgres')

/**
 * Makes every Postgres that this process and its children start begin as a copy of one data folder, which holds each
 * service's migrated database and its template. Migrating takes as much processor time as the rest of a dev stack's
 * start. The folder stays until a migration changes (docs/decisions/020).
 */
export async function prepareTestPostgres(): Promise<void> {
  const services = serviceNames().filter(hasDatabase)
  // Postgres runs as another user, who owns its files, when the tests run as root.
  const key = createHash('sha256').update(JSON.stringify([process.getuid?.(), services.map(migrationsHash)]))
  const prepared = join(CACHE, key.digest('hex').slice(0, 12))
  if (!existsSync(prepared)) await prepare(services, prepared)
  process.env['POSTGRES_TEMPLATE_FOLDER'] = prepared
}

async function prepare(services: string[], prepared: string): Promise<void> {
  await using folder = await throwAwayFolder()
  const dataDir = join(folder.path, 'postgres')
  {
    await using postgres = await startPostgres({ dataDir, onSpawn: (pid) => folder.record('postgres', pid) })
    await Promise.all(
      services.map(async (service) => {
        const template = await templateDatabase(service, postgres.url)
        const { database } = rolesOf(service)
        await runStatements(postgres.url, [
          databaseStatement(service, database, template),
          ...connectStatements(service, database),
        ])
      }),
    )
  }
  await rm(CACHE, { recursive: true, force: true })
  await mkdir(CACHE, { recursive: true })
  const copy = `${prepared}.${process.pid}`
  await promisify(execFile)('cp', ['-a', dataDir, copy])
  await rename(copy, prepared)
}
