import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type pg from 'pg'
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
  return { ...config, password: async () => passwordIn(await readFile(file, 'utf8')) }
}

/** Returns a database URL with the password of its file in it, for programs that know no such files. */
export function withPassword(url: string): string {
  const changed = new URL(url)
  const file = changed.searchParams.get(parameter)
  if (file === null) return url
  changed.searchParams.delete(parameter)
  changed.password = encodeURIComponent(passwordIn(readFileSync(file, 'utf8')))
  return changed.toString()
}

/** Editors and `echo` end a file with a line break, which no password has. */
function passwordIn(text: string): string {
  return text.replace(/\r?\n$/, '')
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
