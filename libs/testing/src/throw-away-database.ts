import { connectStatements, databaseStatement, rolesOf } from '@frontdesk/database/roles'
import { serviceVariable, withDatabase } from '@frontdesk/database/service-databases'
import { roleUrl } from '@frontdesk/dev-stack/servers'
import { inject, onTestFinished } from 'vitest'
import { hasFailedTest } from './failed-tests.ts'
import { runStatements, templateDatabase } from './template-database.ts'

/** A service's database with all its tables, for one test or one test file. */
export interface ThrowAwayDatabase extends AsyncDisposable {
  /** As the administrator of Postgres: for what the test does by itself. */
  url: string
  /** As the service's owner role, which migrates. */
  ownerUrl: string
  /** As the service's runtime role: for the code under test. */
  runtimeUrl: string
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
    databaseStatement(service, name, template),
    ...connectStatements(service, name),
  ])

  const dropUnless = async (failed: boolean): Promise<void> => {
    if (failed) return console.error(`A test failed. Its database ${name} is kept.`)
    await runStatements(serverUrl, [`drop database if exists "${name}" with (force)`])
  }
  return {
    name,
    url: withDatabase(serverUrl, name),
    ownerUrl: roleUrl(serverUrl, rolesOf(service).owner, name),
    runtimeUrl: roleUrl(serverUrl, rolesOf(service).runtime, name),
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
