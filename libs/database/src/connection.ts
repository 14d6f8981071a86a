import pg from 'pg'

/** Settings of a Postgres session by name, for instance `{ enable_seqscan: 'off' }`. */
export type SessionSettings = Readonly<Record<string, string>>

/** Members of pg's clients that its types lack. */
interface ClientInternals {
  /** The backend's process id, as the other side told it at the start. */
  processID: number | null
  /** `I` outside a transaction. */
  getTransactionStatus(): string | null
}

/** Postgres is reached through a connection pooler, where a session must be one and the same. */
export class PooledConnectionError extends Error {
  constructor(name: string) {
    super(
      `the connection "${name}" goes through a pooler such as PgBouncer, where a session's lock does not hold: ` +
        'set <SERVICE>_DIRECT_DATABASE_URL to the address of Postgres itself (docs/running.md)',
    )
    this.name = 'PooledConnectionError'
  }
}

/**
 * Makes a fresh connection ready with one statement: sets `settings` for its session. Startup parameters would do so without a
 * statement, but PgBouncer refuses them.
 *
 * Behind a pooler a session's settings would stay on a backend that other clients use next, so there they are set in each
 * transaction instead, which takes two more round trips for a statement outside of one; and statements have no names, which
 * another backend would not know. Returns whether there is a pooler: the backend then has another process id than the one
 * that this side was told.
 */
export async function prepareConnection(client: pg.ClientBase, settings: SessionSettings): Promise<boolean> {
  const { processID } = client as unknown as ClientInternals
  const values = Object.entries(settings).map(
    ([name, value]) =>
      `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, pg_backend_pid() <> ${Number(processID)})`,
  )
  const { rows } = await client.query<{ pid: number }>(`select ${['pg_backend_pid() as pid', ...values].join(', ')}`)
  const isPooled = rows[0]?.pid !== processID
  if (isPooled) setPerTransaction(client, settings)
  return isPooled
}

type Callback = (error: Error | undefined, result?: pg.QueryResult) => void
type Send = (config: string | pg.QueryConfig, values?: unknown) => Promise<pg.QueryResult>

const transactionControl = /^\s*(begin|start|commit|end|rollback|savepoint|release)\b/i

/** Makes each transaction of a connection set `settings` for itself, and gives each statement outside of one a transaction. */
function setPerTransaction(client: pg.ClientBase, settings: SessionSettings): void {
  const send = client.query.bind(client) as unknown as Send
  const { getTransactionStatus } = client as unknown as ClientInternals
  const local = Object.entries(settings).map(
    ([name, value]) => `set local ${pg.escapeIdentifier(name)} = ${pg.escapeLiteral(value)}`,
  )
  const begin = ['begin', ...local].join('; ')

  async function query(config: string | pg.QueryConfig, values?: unknown): Promise<pg.QueryResult> {
    const text = typeof config === 'string' ? config : config.text
    if (/^\s*begin\s*$/i.test(text)) return send(begin)
    const unnamed = typeof config === 'string' ? config : { ...config, name: undefined }
    if (getTransactionStatus.call(client) !== 'I' || transactionControl.test(text))
      return send(unnamed as pg.QueryConfig, values)
    await send(begin)
    try {
      const result = await send(unnamed as pg.QueryConfig, values)
      await send('commit')
      return result
    } catch (error) {
      await send('rollback').catch(() => closeNow(client))
      throw error
    }
  }

  const replaced = (config: string | pg.QueryConfig, values?: unknown, callback?: Callback) => {
    const heard = typeof values === 'function' ? (values as Callback) : callback
    const result = query(config, typeof values === 'function' ? undefined : values)
    if (heard === undefined) return result
    result.then(
      (rows) => heard(undefined, rows),
      (error: Error) => heard(error),
    )
    return undefined
  }
  client.query = replaced as unknown as typeof client.query
}

/** Closes a connection without a word to the other side. Its queries fail with `error`. */
export function closeNow(client: pg.ClientBase, error?: Error): void {
  streamOf(client).destroy(error)
}

/** Returns the socket of a connection. */
export function streamOf(client: pg.ClientBase): { bytesRead: number; destroy(error?: Error): void } {
  return (client as unknown as { connection: { stream: { bytesRead: number; destroy(error?: Error): void } } })
    .connection.stream
}

/** Ends a connection; a side that does not answer is left after a second. Never rejects. */
export async function endConnection(client: pg.Client): Promise<void> {
  const late = setTimeout(() => closeNow(client), 1_000)
  await client.end().catch(() => {})
  clearTimeout(late)
}
