import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'

/** The parameter of a database URL that names the file with the password, like libpq's `passfile`. */
const parameter = 'passwordfile'

/** Returns a database URL that takes its password from a file; the URL itself if there is none. */
export function withPasswordFile(url: string, file: string | undefined): string {
  if (!file) return url
  const changed = new URL(url)
  changed.searchParams.set(parameter, file)
  return changed.toString()
}

/**
 * Returns pg's settings for a database URL, with libpq's `sslmode`, `sslrootcert`, `sslcert` and `sslkey`. A password file is
 * read again for each new connection, so a rotated password needs no restart. A certificate file is read once, here.
 *
 * @throws Error if a certificate file cannot be read
 */
export function clientConfig(url: string): pg.ClientConfig {
  const { [parameter]: file, ...config } = parseIntoClientConfig(url) as pg.ClientConfig & { [parameter]?: string }
  if (file === undefined) return config
  return { ...config, password: async () => passwordThatIsTaken(config, await readPasswords(file)) }
}

/**
 * Returns the first of a file's passwords, one a line, that Postgres takes. A file has two of them while a password is changed,
 * so that it may reach the replicas at any time before and after Postgres is told; each connection then costs two logins.
 */
async function passwordThatIsTaken(config: pg.ClientConfig, passwords: readonly string[]): Promise<string> {
  for (const password of passwords.slice(0, -1)) if (!(await isRefused({ ...config, password }))) return password
  return passwords.at(-1) ?? ''
}

/** Reads a file with passwords. One that is empty is being written, and is read again a moment later. */
async function readPasswords(file: string): Promise<string[]> {
  for (let tries = 0; tries < 5; tries++) {
    if (tries > 0) await wait(betweenLoginsMs / 4)
    const passwords = passwordsIn(await readFile(file, 'utf8'))
    if (passwords.length > 0) return passwords
  }
  throw new Error(`${file} has no password`)
}

async function isRefused(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: loginAgainForMs })
  client.on('error', () => {})
  try {
    await client.connect()
    return false
  } catch (error) {
    return isRefusedPassword(error)
  } finally {
    void client.end().catch(() => {})
  }
}

/** So long may a password be refused while it is changed, in milliseconds. */
const loginAgainForMs = 3_000
const betweenLoginsMs = 200

/** Has a pool log in again, for up to 3 s, if its password was changed after it was read, and so was refused. */
export function retryRefusedLogins(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  async function connectAgain(): Promise<pg.PoolClient> {
    for (const deadline = performance.now() + loginAgainForMs; ;) {
      try {
        return await connect()
      } catch (error) {
        if (!isRefusedPassword(error) || performance.now() > deadline) throw error
        await wait(betweenLoginsMs)
      }
    }
  }
  type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: Error) => void) => void
  const replaced = (callback?: Callback) => {
    const connected = connectAgain()
    if (callback === undefined) return connected
    connected.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }
  pool.connect = replaced as typeof pool.connect
}

function isRefusedPassword(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '28P01'
}

/** Returns a database URL with the password of its file in it, for programs that know no such files. */
export function withPassword(url: string): string {
  const changed = new URL(url)
  const file = changed.searchParams.get(parameter)
  if (file === null) return url
  changed.searchParams.delete(parameter)
  changed.password = encodeURIComponent(passwordsIn(readFileSync(file, 'utf8'))[0] ?? '')
  return changed.toString()
}

function passwordsIn(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '')
}

/** A service's settings of its database, as its configuration has them: all names begin with `<PREFIX>_`. */
export type DatabaseSettings<Prefix extends string> = Readonly<
  Record<`${Prefix}_DATABASE_URL`, string> &
    Partial<Record<`${Prefix}_DIRECT_DATABASE_URL` | `${Prefix}_DATABASE_PASSWORD_FILE`, string>>
>

/** Returns the URLs by which a service logs in: to its database, perhaps through a pooler, and to Postgres itself. */
export function databaseUrls<Prefix extends string>(
  prefix: Prefix,
  settings: DatabaseSettings<Prefix>,
): { url: string; directUrl: string } {
  const given: Readonly<Record<string, string | undefined>> = settings
  const url = given[`${prefix}_DATABASE_URL`] ?? ''
  const file = given[`${prefix}_DATABASE_PASSWORD_FILE`]
  return {
    url: withPasswordFile(url, file),
    directUrl: withPasswordFile(given[`${prefix}_DIRECT_DATABASE_URL`] ?? url, file),
  }
}

/**
 * Returns the URL by which a service's migrations are applied: that of its owner role, else the service's own. Undefined if
 * the environment has none. Migrations take a session's lock, which does not hold behind a pooler: the direct URL goes first.
 */
export function migrationUrl(prefix: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const owner = env[`${prefix}_OWNER_DATABASE_URL`]
  if (owner) return withPasswordFile(owner, env[`${prefix}_OWNER_DATABASE_PASSWORD_FILE`])
  const own = env[`${prefix}_DIRECT_DATABASE_URL`] || env[`${prefix}_DATABASE_URL`]
  return own ? withPasswordFile(own, env[`${prefix}_DATABASE_PASSWORD_FILE`]) : undefined
}
