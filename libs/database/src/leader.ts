import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

export interface LeaderOptions {
  url: string
  /** Names the lock: the replicas that pass the same name compete for it. */
  name: string
  signal: AbortSignal
  /** Further settings of the leader's session, as `-c name=value`. */
  settings?: string
  /** Milliseconds between two attempts to get the lock. Default 2000. */
  retryMs?: number
  onError?: (error: unknown) => void
}

/**
 * Runs `lead` in at most one process at a time: the one that holds a session advisory lock. The lock has a connection of
 * its own, which must not go through a pooler in transaction mode. `lead` gets that connection, and a signal that aborts
 * when the connection, and so the lock, is lost. Returns when `signal` aborts.
 */
export async function leadWhenElected(
  { url, name, signal, settings = '', retryMs = 2000, onError = () => {} }: LeaderOptions,
  lead: (connection: pg.Client, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await leadOnce({ url, name, signal, settings }, lead)
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
    await wait(retryMs, undefined, { signal }).catch(() => {})
  }
}

async function leadOnce(
  { url, name, signal, settings }: Required<Pick<LeaderOptions, 'url' | 'name' | 'signal' | 'settings'>>,
  lead: (connection: pg.Client, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController()
  const connection = new pg.Client({
    connectionString: url,
    application_name: `${name} leader`,
    keepAlive: true,
    connectionTimeoutMillis: 3000,
    // The server releases the lock within seconds when the leader's machine vanishes without a FIN.
    options: `-c jit=off -c idle_session_timeout=10s -c tcp_keepalives_idle=3 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 ${settings}`,
  })
  connection.on('error', (error) => lost.abort(error))
  connection.on('end', () => lost.abort(new Error('connection ended')))
  try {
    await connection.connect()
    const answer = await connection.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as won', [name])
    if (answer.rows[0]?.won === true) await lead(connection, AbortSignal.any([signal, lost.signal]))
  } finally {
    await connection.end().catch(() => {})
  }
}
