import { join } from 'node:path'
import { serviceFolder } from '@frontdesk/database/service-databases'
import { type ServerProcess, spawnServer, whenReady } from '../processes/server-process.ts'

/** Generous, because a service loads a few hundred modules and all services start at once. */
const START_WITHIN_MS = 60_000

interface StartOptions {
  service: string
  /** The service's own settings, added to this process's environment. */
  env: Record<string, string>
  onLine: (line: string, stream: 'stdout' | 'stderr') => void
  onSpawn: (pid: number) => void
  signal: AbortSignal
}

/**
 * Starts a service as a child process and waits until its probe answers. The log is not asked: `LOG_LEVEL` may leave it empty.
 *
 * @throws Error with the service's last lines
 */
export async function startService({ service, env, onLine, onSpawn, signal }: StartOptions): Promise<ServerProcess> {
  const server = spawnServer({
    name: service,
    command: process.execPath,
    args: [join('src', 'main.ts')],
    options: {
      cwd: serviceFolder(service),
      // Nothing routes requests to it by its readiness, so a stop need not wait for that.
      env: { SHUTDOWN_DRAIN: '0s', ...inheritedEnvironment(), ...env },
    },
    onSpawn,
    onLine,
  })
  const probe = `http://${env['HOST']}:${env['PORT']}/livez`
  await whenReady(service, server, () => answers(probe), { within: START_WITHIN_MS, signal })
  return server
}

/** Whether a probe is answered. It says nothing of Postgres or NATS, which may be down while a service is started again. */
async function answers(probe: string): Promise<boolean> {
  const reply = await fetch(probe, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  await reply?.body?.cancel()
  return reply?.ok === true
}

/** Returns this process's environment without ports and databases: a service must not know another's database. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter(
    (name) => !/_DATABASE_(URL|PASSWORD_FILE)$|_PORT$|^(PORT|HOST)$/.test(name),
  )
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}
