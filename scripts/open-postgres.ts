// Runs Postgres on the data folder of failed tests, or of a stopped dev stack, until Ctrl-C:
//   node scripts/open-postgres.ts .frontdesk/postgres
import process from 'node:process'
import { startPostgres } from '@frontdesk/dev-stack/servers'

const [dataDir] = process.argv.slice(2)
if (dataDir === undefined) {
  console.error('Usage: node scripts/open-postgres.ts <data folder>')
  process.exitCode = 2
} else {
  await using postgres = await startPostgres({ dataDir })
  console.log(postgres.url)
  await new Promise((done) => process.once('SIGINT', done).once('SIGTERM', done))
}
