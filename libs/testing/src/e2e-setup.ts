import { prepareTestPostgres } from './prepared-postgres.ts'
import { sweepThrowAwayFolders } from './throw-away-folder.ts'

/** Prepares a run of end-to-end tests, whose files each start servers of their own. */
export default async function globalSetup(): Promise<void> {
  await sweepThrowAwayFolders()
  await prepareTestPostgres()
}
