/**
 * Runs an operator's command of a service with this checkout's code (docs/operating.md):
 *
 *   npm run operate -- payments reconcile payments --dry-run
 *
 * The configuration is the service's own, from the environment. What the environment does not say, the running dev stack
 * does (`npm start`). In a production image the same commands are `node services/payments/src/operate.ts ...`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { serviceFolder, serviceNames } from '@frontdesk/database/service-databases'
import type { DevFile } from '@frontdesk/dev-stack'
import { runningEnvironment } from '@frontdesk/dev-stack/services'

const home = resolve(process.env['FRONTDESK_HOME'] ?? resolve(import.meta.dirname, '..', '.frontdesk'))
const [service = '', ...command] = process.argv.slice(2)
const operable = serviceNames().filter((name) => existsSync(join(serviceFolder(name), 'src/operate.ts')))

/** Returns the environment of a service in the dev stack; empty if none runs. */
function devStackEnvironment(): Record<string, string> {
  const file = join(home, 'dev.json')
  if (!existsSync(file)) return {}
  return runningEnvironment(service, { home, dev: JSON.parse(readFileSync(file, 'utf8')) as DevFile })
}

async function run(): Promise<number> {
  if (!operable.includes(service)) {
    const asked = service === '' ? '' : `There are no commands of a service "${service}".\n`
    console.error(`${asked}Usage: npm run operate -- SERVICE COMMAND\nServices: ${operable.join(', ')}`)
    return 2
  }
  const child = spawn(process.execPath, [join(serviceFolder(service), 'src/operate.ts'), ...command], {
    stdio: 'inherit',
    env: { ...devStackEnvironment(), ...process.env },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

process.exitCode = await run()
