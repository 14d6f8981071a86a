import { inject, onTestFinished } from 'vitest'
import { hasFailedTest } from './failed-tests.ts'
import { serviceVariable, withDatabase } from '@frontdesk/dev-stack'
import { runStatements, templateDatabase } from './template-database.ts'

/** A migrated database of a service, for one test or one file of tests. */
export interface ThrowAwayDatabase extends AsyncDisposable {
  url: string
  name: string
}

let databases = 0

/**
 * Makes a database of a service, with its tables and no rows, as a copy of one that was migrated before.
 *
 * Disposing of it drops it; where the test (or, for one that a whole file shares, any test of the file) has failed it
 * is kept, and the run says where it is.
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
    if (failed) return console.error(`A test failed: its database ${name} is kept`)
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

/** Runs something when the current test is over and its outcome known; false when no test is running. */
function afterThisTest(action: (failed: boolean) => Promise<void>): boolean {
  try {
    onTestFinished(({ task }) => action(task.result?.state === 'fail'))
    return true
  } catch {
    return false // in a hook such as afterAll
  }
}
