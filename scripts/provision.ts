/**
 * Brings the database of one service, its streams and its consumers up to date, before the service starts. Changes nothing
 * if it has no work to do, and never what another service owns. Each variable may be left out; then its part is skipped.
 *
 *   PAYMENTS_OWNER_DATABASE_URL=... NATS_URL=... node scripts/provision.ts payments [--check | --dry-run] [--force]
 *
 * NATS_CREDENTIALS_FILE names the key of the user `provisioner`. How large the streams are, and on how many servers, and the
 * users: docs/streams.md.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import {
  grantRuntime,
  hasDatabase,
  isDatabaseCurrent,
  migrate,
  ownerUrl,
  serviceNames,
  serviceVariable,
} from '@frontdesk/database/service-databases'
import { natsSettingsOf, NatsSettingError, provisionEvents, StreamSettingError } from '@frontdesk/events'

const usage = `Usage: <SERVICE>_OWNER_DATABASE_URL=... NATS_URL=... node scripts/provision.ts <service> [options]

  --check    prints what differs, changes nothing, and exits with 1 if anything does
  --dry-run  prints what would be done, and changes nothing
  --force    also does what may lose events: lowers the limits of a stream

Services: ${serviceNames().join(', ')}`

class UsageError extends Error {}

function readCommandLine() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { check: { type: 'boolean' }, 'dry-run': { type: 'boolean' }, force: { type: 'boolean' } },
    })
    const [service, more] = positionals
    if (service === undefined || more !== undefined) throw new UsageError(usage)
    return { service, check: values.check ?? false, dryRun: values['dry-run'] ?? false, force: values.force ?? false }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`${(error as Error).message}\n${usage}`)
  }
}

async function provision(): Promise<void> {
  const { service, check, dryRun, force } = readCommandLine()
  if (!serviceNames().includes(service))
    throw new UsageError(`There is no service "${service}". The services are ${serviceNames().join(', ')}.`)
  const databaseVariable = serviceVariable(service, 'OWNER_DATABASE_URL')
  const databaseUrl = hasDatabase(service) ? ownerUrl(service, process.env) : undefined
  const nats = natsSettingsOf(process.env)
  if (databaseUrl === undefined && nats === undefined)
    throw new UsageError(`Set ${hasDatabase(service) ? `${databaseVariable}, NATS_URL or both` : 'NATS_URL'}.`)

  const say = (line: string) => console.log(`${service}: ${line}`)
  const changesNothing = check || dryRun
  let differences = 0
  if (databaseUrl !== undefined) {
    const isCurrent = await isDatabaseCurrent(service, databaseUrl)
    if (!isCurrent && changesNothing) {
      differences++
      say('the database lacks migrations')
    } else {
      if (!isCurrent) await migrate(service, databaseUrl)
      else if (!changesNothing) await grantRuntime(service, databaseUrl)
      say('the database is up to date')
    }
  }
  if (nats !== undefined) {
    const steps = await provisionEvents(nats, {
      service,
      env: process.env,
      force,
      dryRun: changesNothing,
      report: say,
    })
    if (changesNothing) differences += steps.length
    if (steps.length === 0 || !changesNothing) say('streams and consumers are up to date')
  }
  if (check && differences > 0) process.exitCode = 1
}

await provision().catch((error: Error) => {
  console.error(error.message)
  const isUsage = [UsageError, StreamSettingError, NatsSettingError].some((kind) => error instanceof kind)
  process.exitCode = isUsage ? 2 : 1
})
