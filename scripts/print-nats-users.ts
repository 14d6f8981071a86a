/**
 * Prints the users of NATS as nats-server's configuration, from the table in libs/contracts: what each service may publish and
 * read. Makes a key for each user that has none in the folder. What is printed has no secret; the folder has them all.
 *
 *   node scripts/print-nats-users.ts FOLDER [--team recalls=evt.pub.payments.>,evt.int.registry.>] [--transition]
 *
 * How to use it: docs/streams.md.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { busUsers, teamUser } from '@frontdesk/contracts'
import { openBusCredentials } from '@frontdesk/events'

const usage = `Usage: node scripts/print-nats-users.ts FOLDER [options] > users.conf

  FOLDER         has a key for each user: FOLDER/payments.nk. Missing ones are made.
  --team T=F,F   a user for another team, which reads the events of these filters; may be repeated
  --transition   also takes connections without a key, while services of the release before still run`

class UsageError extends Error {}

function print(): string {
  const { positionals, values } = parse()
  const [folder, more] = positionals
  if (folder === undefined || more !== undefined) throw new UsageError(usage)
  const teams = (values.team ?? []).map((text) => {
    const [team = '', filters = ''] = text.split('=')
    return teamUser(team, filters.split(','))
  })
  return openBusCredentials(folder, [...busUsers, ...teams], { transition: values.transition ?? false }).serverConfig
}

function parse() {
  try {
    const options = { team: { type: 'string', multiple: true }, transition: { type: 'boolean' } } as const
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`)
  }
}

try {
  process.stdout.write(print())
} catch (error) {
  if (!(error instanceof UsageError) && !(error instanceof RangeError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
