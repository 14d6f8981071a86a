import pg from 'pg'

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
  /** Further settings of its sessions, as `-c name=value`. */
  settings?: string
  /** Milliseconds that a query waits for a connection. Default 3000. */
  connectTimeoutMs?: number
  /** Called when an idle connection is lost. */
  onError?: (error: Error) => void
}

/** Opens a connection pool, which connects at the first query. The caller ends it. */
export function openPool({
  url,
  name,
  size = 10,
  settings = '',
  connectTimeoutMs = 3000,
  onError = () => {},
}: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: name,
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    // A wrong estimate would start the JIT compiler, which takes longer than any statement of ours may.
    options: `-c jit=off ${settings}`,
    types: parsers,
  })
  pool.on('error', onError)
  // A connection that is lost between two statements of a transaction emits an error, which would end the process
  // without a listener. The next statement fails, and its caller handles that.
  pool.on('connect', (connection) => connection.on('error', () => {}))
  return pool
}

/**
 * Runs `work` in one transaction (read committed) and commits, or rolls back and rethrows.
 * If the rollback fails too, the connection is closed and does not go back to the pool.
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

/** Whether an error of pg or Prisma means that the database is away or shutting down, and not that a statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const codes = ['code' in error ? String(error.code) : '', prismaOriginalCode(error)]
  return (
    // SQLSTATE classes, and Prisma's codes with the same meaning.
    codes.some((code) => /^(08|57P0|53|P1001|P1002|P1008|P1017|P2024|P2037)/.test(code)) ||
    codes.some((code) => ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT'].includes(code)) ||
    /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/.test(
      error.message,
    )
  )
}

/** Returns the SQLSTATE inside an error of Prisma; '' if there is none. */
function prismaOriginalCode(
  error: Error & { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } },
): string {
  const code = error.meta?.driverAdapterError?.cause?.originalCode
  return typeof code === 'string' ? code : ''
}

/** Whether an error is a violation of a unique constraint: of this one, if `constraint` is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '23505' &&
    (constraint === undefined || ('constraint' in error && error.constraint === constraint))
  )
}
