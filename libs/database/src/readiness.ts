import pg from 'pg'
import { answerWithin } from './answer-within.ts'
import { endConnection, PooledConnectionError, prepareConnection } from './connection.ts'
import { clientConfig } from './login.ts'
import { hasMigration } from './migrations.ts'
import { openPool } from './pool.ts'

export interface ReadinessOptions {
  /** The service's name. */
  name: string
  url: string
  /** The address of Postgres itself, for sessions that hold a lock. Often the same as `url`. */
  directUrl: string
  /** The migration that this code needs. */
  migration: string
  /** This process's clock, in epoch milliseconds. */
  now?: () => number
}

/** Whether a service's database can do its work. */
export interface DatabaseReadiness extends AsyncDisposable {
  /** Throws the reason if it cannot, after 700 ms at the latest. */
  check(): Promise<void>
  /**
   * By how many milliseconds at least this process's clock was ahead of Postgres's at the last check; below 0: behind.
   * Undefined before the first.
   */
  clockSkewMs(): number | undefined
}

const answerWithinMs = 700

/** Opens the check of a service's database. Its connection is its own: a busy pool is no reason to be taken out of service. */
export function openReadiness(options: ReadinessOptions): DatabaseReadiness {
  const { name, url, directUrl, migration, now = Date.now } = options
  const pool = openPool({ url, name: `${name} readiness`, size: 1 })
  let isDirect = false
  let skewMs: number | undefined

  async function ask(): Promise<void> {
    const askedAt = now()
    const { rows } = await pool.query<{ setting: string; time: number }>(
      `select current_setting('transaction_read_only') as setting,
              (extract(epoch from clock_timestamp()) * 1000)::float8 as time`,
    )
    if (rows[0] !== undefined) skewMs = leastSkew(askedAt - rows[0].time, now() - rows[0].time)
    if (rows[0]?.setting === 'on') throw new Error('Postgres accepts no writes')
    if (!(await hasMigration(pool, migration))) throw new Error(`migration ${migration} is missing`)
    if (!isDirect) await checkDirect(directUrl, name)
    isDirect = true
  }

  return {
    check: () => answerWithin(answerWithinMs, ask(), `Postgres has not answered for ${answerWithinMs} ms`),
    clockSkewMs: () => skewMs,
    [Symbol.asyncDispose]: () => pool.end(),
  }
}

/** Postgres read its clock between question and answer. Returns the difference nearest to 0 that this allows. */
function leastSkew(asked: number, answered: number): number {
  if (asked > 0) return asked
  return Math.min(answered, 0)
}

/** Throws PooledConnectionError unless this address is Postgres itself. */
async function checkDirect(url: string, name: string): Promise<void> {
  const client = new pg.Client({
    ...clientConfig(url),
    application_name: name,
    connectionTimeoutMillis: answerWithinMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    if (await prepareConnection(client, {})) throw new PooledConnectionError(`${name} leader`)
  } finally {
    void endConnection(client)
  }
}
