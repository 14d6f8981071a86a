import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate, migrationsFolder, serviceVariable, withDatabase } from '@frontdesk/database/service-databases'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { hasFailedTest } from './failed-tests.ts'

/** A service's database with all its tables, for one test or one test file. */
export interface ThrowAwayDatabase extends AsyncDisposable {
  url: string
  name: string
}

let databases = 0

/**
 * Creates a service's database, with all its tables and no rows, as a copy of a migrated template.
 *
 * Disposing of it drops it, unless the test has failed (or any test of the file, if the file shares the database). Then
 * the database is kept, and the run prints how to open it.
 *
 * @param service the service's folder name
 */
export async function throwAwayDatabase(service: string): Promise<ThrowAwayDatabase> {
  const serverUrl = withDatabase(
    process.env[serviceVariable(service, 'DATABASE_URL')] ?? inject('postgresUrl'),
    'postgres',
  )
  const template = await templateDatabase(service, serverUrl)
  const name = `test_${service.replaceAll('-', '_')}_${process.pid}_${++databases}`
  await runStatements(serverUrl, [
    `drop database if exists "${name}"`,
    `create database "${name}" template "${template}"`,
  ])

  const dropUnless = async (failed: boolean): Promise<void> => {
    if (failed) return console.error(`A test failed. Its database ${name} is kept.`)
    await runStatements(serverUrl, [`drop database if exists "${name}" with (force)`])
  }
  return {
    name,
    url: withDatabase(serverUrl, name),
    async [Symbol.asyncDispose]() {
      const disposedInTest = afterThisTest((failed) => dropUnless(failed))
      if (!disposedInTest) await dropUnless(hasFailedTest())
    },
  }
}

/** Runs `action` after the current test, with its outcome. Returns false if no test is running. */
function afterThisTest(action: (failed: boolean) => Promise<void>): boolean {
  try {
    onTestFinished(({ task }) => action(task.result?.state === 'fail'))
    return true
  } catch {
    return false // called in a hook such as afterAll
  }
}

/** Returns the name of the template. The first process that needs it creates it. */
async function templateDatabase(service: string, serverUrl: string): Promise<string> {
  const name = `template_${service.replaceAll('-', '_')}_${migrationsHash(service)}`
  const client = new pg.Client(serverUrl)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const known = await client.query('select 1 from pg_database where datname = $1 and datistemplate', [name])
    if (known.rowCount) return name
    await client.query(`drop database if exists "${name}" with (force)`)
    await client.query(`create database "${name}"`)
    await migrate(service, withDatabase(serverUrl, name))
    // Postgres refuses to copy a database while anybody is connected to it.
    await client.query(`alter database "${name}" with is_template true allow_connections false`)
    return name
  } finally {
    await client.end() // releases the lock
  }
}

/** Returns a short hash of a service's migrations: equal hashes mean equal tables. */
function migrationsHash(service: string): string {
  const hash = createHash('sha256')
  const folder = migrationsFolder(service)
  for (const name of readdirSync(folder).toSorted()) {
    const file = join(folder, name, 'migration.sql')
    if (existsSync(file)) hash.update(name).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 12)
}

async function runStatements(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
