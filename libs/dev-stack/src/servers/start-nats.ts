import { access, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { freePort } from '../processes/free-port.ts'
import { type ServerProcess, spawnServer, whenReady } from '../processes/server-process.ts'

/** A nats-server with JetStream, as a child process. */
export interface Nats extends ServerProcess, AsyncDisposable {
  url: string
  storeDir: string
  port: number
}

interface StartOptions {
  /** JetStream's store; created if it does not exist. */
  storeDir: string
  /** Default: any free port. */
  port?: number
  /** Most bytes that streams may reserve together, as nats-server writes sizes. Default 100TB. */
  maxFileStore?: string
  /** The server's users, in its configuration's language: `openBusCredentials` makes them. */
  users: string
  /** Further lines of the server's configuration, such as its cluster. */
  config?: readonly string[]
  /** Gets the server's log, line by line. */
  onLine?: (line: string) => void
  /** Called with the process id at once, before the server is usable. */
  onSpawn?: (pid: number) => void
}

/** scripts/bootstrap.mjs puts the server here, or a link to the one on PATH. */
const NATS_SERVER = resolve(import.meta.dirname, '../../../../node_modules/.cache/frontdesk/bin/nats-server')

/**
 * Starts nats-server with JetStream on loopback and waits until it accepts connections.
 *
 * @throws Error if there is no nats-server, or with its last lines if it does not start
 */
export async function startNats(options: StartOptions): Promise<Nats> {
  const { storeDir, port, users, maxFileStore = '100TB', config = [], onLine, onSpawn } = options
  await access(NATS_SERVER).catch(() => {
    throw new Error('There is no nats-server yet. Run: npm run bootstrap')
  })
  await mkdir(storeDir, { recursive: true })
  const usedPort = port ?? (await freePort())
  const configFile = join(storeDir, 'nats-server.conf')
  await writeFile(configFile, [...serverConfig(storeDir, usedPort, maxFileStore), users, ...config, ''].join('\n'))
  let ready = false
  const server = spawnServer({
    name: 'nats',
    command: NATS_SERVER,
    args: ['-c', configFile],
    onSpawn,
    onLine(line) {
      ready ||= line.includes('Server is ready')
      onLine?.(line)
    },
  })
  await whenReady('nats-server', server, () => ready)
  return {
    ...server,
    url: `nats://127.0.0.1:${usedPort}`,
    storeDir,
    port: usedPort,
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

function serverConfig(storeDir: string, port: number, maxFileStore: string): string[] {
  return [
    'host: "127.0.0.1"',
    `port: ${port}`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(storeDir)}`,
    // The server refuses streams if their limits add up to more than this; the default is three quarters of the free
    // disk. A deployment's limits reserve nothing, so they must be accepted on a small disk.
    `  max_file_store: ${maxFileStore}`,
    '}',
  ]
}
