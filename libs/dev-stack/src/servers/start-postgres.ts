import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'
import { type ServerProcess, spawnServer, whenReady } from '../processes/server-process.ts'
import { enterableTemporaryFolder, findPostgres, isEnterable, type PostgresPrograms } from './postgres-binaries.ts'

/** A running Postgres server of our own. */
export interface Postgres extends ServerProcess, AsyncDisposable {
  /** URL of the maintenance database `postgres`. */
  url: string
  dataDir: string
  port: number
}

interface StartOptions {
  /** Made, and filled by initdb, when it does not exist. */
  dataDir: string
  /** Default: any free one. */
  port?: number
  /** Gets the server's log, line by line. */
  onLine?: (line: string) => void
  /** Told the process's number at once, before it is usable. */
  onSpawn?: (pid: number) => void
}

/**
 * Starts Postgres from its npm package on loopback TCP, and waits until it takes connections.
 *
 * Settings are Postgres's own, `fsync` included, so that what tests see about crashes is true. Root runs it as an
 * unprivileged user, since Postgres refuses to run as root.
 *
 * @throws when the data folder is of another version, or with the server's own words when it does not start
 */
export async function startPostgres({ dataDir, port, onLine, onSpawn }: StartOptions): Promise<Postgres> {
  const programs = await findPostgres()
  await prepareDataFolder(dataDir, programs)
  const realDataDir = await realpath(dataDir)
  const usedPort = port ?? (await freePort())
  let accepting = false
  const server = spawnServer({
    name: 'postgres',
    command: programs.postgres,
    args: ['-D', realDataDir, ...serverSettings(usedPort)],
    options: asUser(programs, realDataDir),
    onSpawn,
    onLine(line) {
      accepting ||= line.includes('ready to accept connections')
      onLine?.(line)
    },
    stopSignal: 'SIGINT', // "fast": ends the sessions, then writes a clean checkpoint
  })
  await whenReady('Postgres', server, () => accepting)
  return {
    ...server,
    url: `postgresql://postgres@127.0.0.1:${usedPort}/postgres`,
    dataDir,
    port: usedPort,
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

function serverSettings(port: number): string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300, // every service with its pools, and a few test files at a time
    timezone: 'UTC',
    log_timezone: 'UTC',
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Options of a child process that runs as the right user, in a folder which that user can enter. */
function asUser(programs: PostgresPrograms, folder: string): { cwd: string; uid?: number; gid?: number } {
  return { cwd: folder, ...programs.runAs }
}

/**
 * Makes the data folder if need be: as a copy of the one that POSTGRES_TEMPLATE_FOLDER names, or by initdb. It appears
 * whole or not at all, so that an interrupted start is simply repeated.
 */
async function prepareDataFolder(dataDir: string, programs: PostgresPrograms): Promise<void> {
  const version = await versionOf(dataDir)
  if (version !== undefined) {
    if (version === programs.major) return
    throw new Error(
      `${dataDir} was written by Postgres ${version}, and this is ${programs.major}: remove that folder to start anew.`,
    )
  }
  await rm(dataDir, { recursive: true, force: true })
  const place = await placeForData(dataDir, programs)
  const building = `${place}.new`
  await rm(building, { recursive: true, force: true })
  await mkdir(building, { recursive: true, mode: 0o700 })
  if (programs.runAs) await chown(building, programs.runAs.uid, programs.runAs.gid)
  const template = process.env['POSTGRES_TEMPLATE_FOLDER']
  if (template !== undefined && (await versionOf(template)) === programs.major) {
    await promisify(execFile)('cp', ['-a', `${template}/.`, building])
  } else {
    await initdb(building, programs)
  }
  await rename(building, place)
  if (place !== dataDir) await symlink(place, dataDir)
}

/** The major version that wrote a data folder; undefined when it is not one. */
async function versionOf(dataDir: string): Promise<string | undefined> {
  const version = await readFile(join(dataDir, 'PG_VERSION'), 'utf8').catch(() => undefined)
  return version?.trim()
}

async function initdb(dataDir: string, programs: PostgresPrograms): Promise<void> {
  await promisify(execFile)(
    programs.initdb,
    ['-D', dataDir, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'],
    asUser(programs, dataDir),
  ).catch((error: Error & { stderr?: string }) => {
    throw new Error(`initdb failed:\n${error.stderr ?? error.message}`)
  })
}

/**
 * Where the data really goes. Below a folder that only root can enter (a checkout in root's home) the user that
 * Postgres runs as could not reach it: then it is a folder in /var/tmp, and `dataDir` a link to it, so that removing
 * the state folder still starts anew.
 */
async function placeForData(dataDir: string, programs: PostgresPrograms): Promise<string> {
  const parent = dirname(dataDir)
  await mkdir(parent, { recursive: true })
  if (!programs.runAs || (await isEnterable(await realpath(parent)))) return dataDir
  const outside = await mkdtemp(join(await enterableTemporaryFolder(), 'frontdesk-data-'))
  await chmod(outside, 0o711)
  return join(outside, 'postgres')
}
