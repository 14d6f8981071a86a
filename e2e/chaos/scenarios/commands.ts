import { rolesOf } from '@frontdesk/database/roles'
import { serviceVariable } from '@frontdesk/database/service-databases'
import { roleUrl } from '@frontdesk/dev-stack/servers'
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Play } from '../scenario.ts'

const root = resolve(import.meta.dirname, '../../..')

/**
 * Runs an operator's command of a service. Returns its output. Like a person, it runs a
 * command that fails again, three times in all; then the failure is a finding.
 */
export async function operate(play: Play, service: string, ...command: string[]): Promise<string> {
  const args = [`services/${service}/src/operate.ts`, ...command]
  const name = `operate ${service} ${command.join(' ')}`
  // Only the administrator publishes another service's events.
  const { NATS_CREDENTIALS_FILE } = play.environment.system.devStack.dev.nats.administrator
  const env = command[0] === 'reconcile' && command[1] === 'streams' ? { NATS_CREDENTIALS_FILE } : {}
  return run(play, service, { name, args, tries: 3, env })
}

/** Brings the streams and the database of a service up to date, as a deployment does before it starts the service. */
export async function provision(play: Play, service: string): Promise<string> {
  const { dev } = play.environment.system.devStack
  const { owner, database } = rolesOf(service)
  const env = {
    [serviceVariable(service, 'OWNER_DATABASE_URL')]: roleUrl(dev.postgres.url, owner, database),
    NATS_CREDENTIALS_FILE: dev.nats.provisioner.NATS_CREDENTIALS_FILE,
  }
  return run(play, service, { name: `provision ${service}`, args: ['scripts/provision.ts', service], env, tries: 1 })
}

interface Command {
  name: string
  args: string[]
  /** Beyond the service's own environment. */
  env: Record<string, string>
  tries: number
}

async function run(play: Play, service: string, { name, args, env: more, tries }: Command): Promise<string> {
  const { environment, inject, expect } = play
  const env = { ...process.env, ...environment.variables(service), ...more }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env, timeout: 180_000 })
    inject(`${name}: ${lastLine(stdout)}`)
    return stdout
  } catch (error) {
    if (tries > 1) {
      await wait(2_000)
      return run(play, service, { name, args, tries: tries - 1, env: more })
    }
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    expect(false, `${name} failed: ${errorLine(output)}`)
    return output
  }
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''

/** Returns the line of an error's output that says what is wrong. */
const errorLine = (output: string) => output.split('\n').find((line) => /error/i.test(line)) ?? lastLine(output)
