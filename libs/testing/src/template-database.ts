import pg from 'pg'
import { migrate, migrationsFingerprint, withDatabase } from '@frontdesk/dev-stack'

/**
 * Returns the name of a service's migrated database that tests copy theirs from. Whoever needs it first makes it, in
 * whichever process.
 */
export async function templateDatabase(service: string, serverUrl: string): Promise<string> {
  const name = `template_${service.replaceAll('-', '_')}_${migrationsFingerprint(service)}`
  const client = new pg.Client(serverUrl)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const known = await client.query('select 1 from pg_database where datname = $1 and datistemplate', [name])
    if (known.rowCount) return name
    await client.query(`drop database if exists "${name}" with (force)`)
    await client.query(`create database "${name}"`)
    await migrate(service, withDatabase(serverUrl, name))
    // Postgres refuses to copy a database while anybody is connected to it.
    await client.query(`alter database "${name}" with is_template true allow_connections false`)
    return name
  } finally {
    await client.end() // and with it the lock
  }
}

/** Runs statements one after the other, on a connection of their own. */
export async function runStatements(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
