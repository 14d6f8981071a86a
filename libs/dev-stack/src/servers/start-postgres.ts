import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../processes/free-port.ts'
import { type ServerProcess, spawnServer, whenReady } from '../processes/server-process.ts'
import { enterableTemporaryFolder, findPostgres, isEnterable, type PostgresPrograms } from './postgres-binaries.ts'

/** A Postgres server, as a child process. */
export interface Postgres extends ServerProcess, AsyncDisposable {
  /** URL of the maintenance database `postgres`, as the administrator (a superuser). */
  url: string
  dataDir: string
  port: number
}

interface StartOptions {
  /** Created by initdb if it does not exist. */
  dataDir: string
  /** Default: any free port. */
  port?: number
  /** Gets the server's log, line by line. */
  onLine?: (line: string) => void
  /** Called with the process id at once, before the server is usable. */
  onSpawn?: (pid: number) => void
}

/**
 * Starts Postgres from its npm package on loopback TCP and waits until it accepts connections.
 *
 * It keeps Postgres's defaults, `fsync` included, so that tests of crashes prove something. Postgres refuses to run as
 * root, so root starts it as an unprivileged user.
 *
 * @throws Error if the data folder is of another version, or with the server's last lines if it does not start
 */
export async function startPostgres({ dataDir, port, onLine, onSpawn }: StartOptions): Promise<Postgres> {
  const programs = await findPostgres()
  await prepareDataFolder(dataDir, programs)
  const realDataDir = await realpath(dataDir)
  await requirePasswords(realDataDir, programs)
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
    stopSignal: 'SIGINT', // "fast" shutdown: ends the sessions, then writes a checkpoint
  })
  await whenReady('Postgres', server, () => accepting)
  return {
    ...server,
    url: `postgresql://postgres:${await administratorPassword(dataDir)}@127.0.0.1:${usedPort}/postgres`,
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
    max_connections: 300, // enough for all services' pools, or a few test files at a time
    timezone: 'UTC',
    log_timezone: 'UTC',
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Returns the options of a child process that runs as Postgres's user. The user must be able to enter `folder`. */
function asUser(programs: PostgresPrograms, folder: string): { cwd: string; uid?: number; gid?: number } {
  return { cwd: folder, ...programs.runAs }
}

/**
 * Creates the data folder if need be, as a copy of the folder in POSTGRES_TEMPLATE_FOLDER or by initdb. It appears only when
 * it is complete, so an interrupted start can be repeated.
 */
async function prepareDataFolder(dataDir: string, programs: PostgresPrograms): Promise<void> {
  const version = await versionOf(dataDir)
  if (version !== undefined) {
    if (version === programs.major) return
    throw new Error(
      `${dataDir} was written by Postgres ${version}, and this is Postgres ${programs.major}: remove that folder to start afresh.`,
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

/** In the data folder, so that a copy of the folder has the password of its administrator. */
const passwordFile = 'administrator.password'

/** Returns the password of a data folder's administrator. Any other role's is derived from it (role-urls.ts). */
export function administratorPassword(dataDir: string): Promise<string> {
  return readFile(join(dataDir, passwordFile), 'utf8')
}

/**
 * Gives the administrator a password, once for each data folder, and lets nobody in without one. Folders from before there
 * were passwords get theirs, too.
 */
async function requirePasswords(dataDir: string, programs: PostgresPrograms): Promise<void> {
  if (existsSync(join(dataDir, passwordFile))) return
  const password = randomBytes(24).toString('base64url')
  // Postgres in single-user mode: the server does not listen before there is a password.
  const single = promisify(execFile)(
    programs.postgres,
    ['--single', '-D', dataDir, 'postgres'],
    asUser(programs, dataDir),
  )
  single.child.stdin?.end(`alter role postgres password '${password}'\n`)
  await single
  await writeOwned(join(dataDir, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n', programs)
  await writeOwned(join(dataDir, passwordFile), password, programs)
}

async function writeOwned(file: string, content: string, { runAs }: PostgresPrograms): Promise<void> {
  await writeFile(file, content, { mode: 0o600 })
  if (runAs) await chown(file, runAs.uid, runAs.gid)
}

/** The major version that wrote a data folder; undefined when it is not one. */
async function versionOf(dataDir: string): Promise<string | undefined> {
  const version = await readFile(join(dataDir, 'PG_VERSION'), 'utf8').catch(() => undefined)
  return version?.trim()
}

async function initdb(dataDir: string, programs: PostgresPrograms): Promise<void> {
  await promisify(execFile)(
    programs.initdb,
    ['-D', dataDir, '--username=postgres', '--auth=reject', '--encoding=UTF8', '--locale=C'],
    asUser(programs, dataDir),
  ).catch((error: Error & { stderr?: string }) => {
    throw new Error(`initdb failed:\n${error.stderr ?? error.message}`)
  })
}

/**
 * Returns the folder for the data: `dataDir`, or a folder in /var/tmp if only root can enter the parent of `dataDir` (in a
 * checkout in root's home, say). `dataDir` then becomes a link, so that removing the state folder still starts afresh.
 */
async function placeForData(dataDir: string, programs: PostgresPrograms): Promise<string> {
  const parent = dirname(dataDir)
  await mkdir(parent, { recursive: true })
  if (!programs.runAs || (await isEnterable(await realpath(parent)))) return dataDir
  const outside = await mkdtemp(join(await enterableTemporaryFolder(), 'frontdesk-data-'))
  await chmod(outside, 0o711)
  return join(outside, 'postgres')
}
