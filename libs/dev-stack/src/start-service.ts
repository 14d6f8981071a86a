import { join } from 'node:path'
import { type ServerProcess, spawnServer, whenReady } from './processes/server-process.ts'
import { serviceFolder } from './service-databases.ts'

/** A service imports a few hundred modules, and a machine that starts all of them at once is busy. */
const START_WITHIN_MS = 60_000

interface StartOptions {
  service: string
  /** The service's own settings. They come on top of this process's environment. */
  env: Record<string, string>
  onLine: (line: string, stream: 'stdout' | 'stderr') => void
  onSpawn: (pid: number) => void
  signal: AbortSignal
}

/** Starts a service as a process of its own, and waits until it says that it is ready. */
export async function startService({ service, env, onLine, onSpawn, signal }: StartOptions): Promise<ServerProcess> {
  let ready = false
  const server = spawnServer({
    name: service,
    command: process.execPath,
    args: [join('src', 'main.ts')],
    options: { cwd: serviceFolder(service), env: { ...inheritedEnvironment(), ...env } },
    onSpawn,
    onLine(line, stream) {
      ready ||= line.includes('"msg":"ready"')
      onLine(line, stream)
    },
  })
  await whenReady(service, server, () => ready, { within: START_WITHIN_MS, signal })
  return server
}

/** This process's environment without what is some part's own: a service must not even know of another's database. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) => !/_DATABASE_URL$|_PORT$|^(PORT|HOST)$/.test(name))
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}
