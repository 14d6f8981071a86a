import pg from 'pg'
import { closeNow, prepareConnection, type SessionSettings } from './connection.ts'
import { isReadOnly } from './errors.ts'
import { clientConfig, retryRefusedLogins } from './login.ts'
import { watchSilence } from './silence.ts'

/** A pool, or the connection of a transaction. Stores take it, so that they run in either. */
export interface Queryable {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    text: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>>
}

export type Pool = pg.Pool
export type Transaction = pg.PoolClient

const int8 = 20
const parsers = new pg.TypeOverrides()
// int8 comes back as bigint, as in Prisma's models; pg's own default is a string.
parsers.setTypeParser(int8, BigInt)

export interface PoolOptions {
  url: string
  /** `application_name`, seen in pg_stat_activity. */
  name: string
  /** Maximum number of connections. Default 10. */
  size?: number
  /** Further settings of its sessions. */
  settings?: SessionSettings
  /** Milliseconds that a query waits for a connection. Default 3000. */
  connectTimeoutMs?: number
  /** Called when an idle connection is lost. */
  onError?: (error: Error) => void
}

const defaultSettings: SessionSettings = {
  // A wrong estimate would start the JIT compiler, which takes longer than any statement of ours may.
  jit: 'off',
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '30s',
}

/**
 * Closes a connection whose login has failed. pg's pool forgets it: one that fails on this side, for want of a password, would
 * stay open until Postgres ends it after a minute.
 */
class PooledClient extends pg.Client {
  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    if (callback === undefined) return super.connect()
    // pg calls it without an error, too, which its types cannot say of this form.
    super.connect((error: Error | null | undefined) => {
      if (error) closeNow(this)
      callback(error as Error)
    })
  }
}

/**
 * Opens a connection pool, which connects at the first query. The caller ends it. A connection that goes nowhere is closed
 * within seconds (silence.ts); a statement ends after 30 s at the latest.
 */
export function openPool({
  url,
  name,
  size = 10,
  settings = {},
  connectTimeoutMs = 3000,
  onError = () => {},
}: PoolOptions): Pool {
  const connection = { ...clientConfig(url), application_name: name, keepAlive: true }
  const silence = watchSilence(connection)
  const pooled = new WeakSet<pg.ClientBase>()
  const pool = new pg.Pool({
    ...connection,
    Client: PooledClient,
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    types: parsers,
    async onConnect(client) {
      // A connection that is lost between two statements of a transaction emits an error, which would end the process
      // without a listener. The next statement fails, and its caller handles that.
      client.on('error', () => {})
      silence.watch(client, () => pooled.has(client))
      if (await prepareConnection(client, { ...defaultSettings, ...settings })) pooled.add(client)
    },
  })
  if (typeof connection.password === 'function') retryRefusedLogins(pool)
  pool.on('error', onError)
  // The primary of these connections has become a standby: new ones find the new primary.
  pool.on('release', (error) => {
    if (isReadOnly(error)) silence.evictIdle()
  })
  return pool
}

/**
 * Runs `work` in one transaction (read committed) and commits, or rolls back and rethrows.
 * If the rollback fails too, or Postgres accepts no writes, the connection is closed and does not go back to the pool.
 */
export async function transaction<T>(pool: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const tx = await pool.connect()
  let broken: Error | undefined
  try {
    await tx.query('begin')
    const result = await work(tx)
    await tx.query('commit')
    return result
  } catch (error) {
    if (isReadOnly(error)) broken = error as Error
    await tx.query('rollback').catch((failure: Error) => (broken = failure))
    throw error
  } finally {
    tx.release(broken)
  }
}

/**
 * Turns rows with snake_case columns into Prisma's models (camelCase), so that raw SQL and Prisma share types.
 * The caller names the model, and must select all its columns.
 */
export function camelRows<Model>(result: pg.QueryResult): Model[] {
  return result.rows.map((row: Record<string, unknown>) => camelRow<Model>(row))
}

/** Returns the first row as a model, or undefined if there is none. */
export function firstRow<Model>(result: pg.QueryResult): Model | undefined {
  return result.rows.length === 0 ? undefined : camelRow<Model>(result.rows[0] as Record<string, unknown>)
}

const names = new Map<string, string>()
function camelRow<Model>(row: Record<string, unknown>): Model {
  const model: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) {
    let name = names.get(column)
    if (name === undefined) {
      name = column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
      names.set(column, name)
    }
    model[name] = value
  }
  return model as Model
}
