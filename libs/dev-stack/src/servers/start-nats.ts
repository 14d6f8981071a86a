import { access, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { freePort } from '../free-port.ts'
import { type ServerProcess, spawnServer, whenReady } from '../processes/server-process.ts'

/** A running nats-server of our own, with JetStream. */
export interface Nats extends ServerProcess, AsyncDisposable {
  url: string
  storeDir: string
  port: number
}

interface StartOptions {
  /** JetStream's store; made when it does not exist. */
  storeDir: string
  /** Default: any free one. */
  port?: number
  /** Gets the server's log, line by line. */
  onLine?: (line: string) => void
  /** Told the process's number at once, before it is usable. */
  onSpawn?: (pid: number) => void
}

/** Where scripts/bootstrap.mjs puts the server, or a link to the one that it found on PATH. */
const NATS_SERVER = resolve(import.meta.dirname, '../../../../node_modules/.cache/frontdesk/bin/nats-server')

/**
 * Starts nats-server with JetStream on loopback, and waits until it takes connections.
 *
 * @throws when there is no nats-server, or with the server's own words when it does not start
 */
export async function startNats({ storeDir, port, onLine, onSpawn }: StartOptions): Promise<Nats> {
  await access(NATS_SERVER).catch(() => {
    throw new Error('There is no nats-server yet. Run: npm run bootstrap')
  })
  await mkdir(storeDir, { recursive: true })
  const usedPort = port ?? (await freePort())
  const configFile = join(storeDir, 'nats-server.conf')
  await writeFile(configFile, serverConfig(storeDir, usedPort))
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

function serverConfig(storeDir: string, port: number): string {
  return [
    'host: "127.0.0.1"',
    `port: ${port}`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(storeDir)}`,
    // The server refuses streams whose limits add up to more than this, by default three quarters of the free disk.
    // The limits are sized for production and are not taken up front, so a small disk must not refuse them.
    '  max_file_store: 100TB',
    '}',
    '',
  ].join('\n')
}
