import { prepareTestPostgres } from './prepared-postgres.ts'
import { sweepThrowAwayFolders } from './throw-away-folder.ts'

/** Before a run of e2e tests, whose files each start servers of their own. */
export default async function globalSetup(): Promise<void> {
  await sweepThrowAwayFolders()
  await prepareTestPostgres()
}
