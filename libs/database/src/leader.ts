import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

export interface LeaderOptions {
  url: string
  /** Names the lock; every copy that passes the same name competes for it. */
  name: string
  signal: AbortSignal
  /** More settings of the leader's session, as `-c name=value`. */
  settings?: string
  /** How often a copy that is not the leader tries again, in milliseconds. */
  retryMs?: number
  onError?: (error: unknown) => void
}

/**
 * Runs `lead` in at most one process at a time, elected by a session advisory lock on a connection of its own
 * (it dies with the process; poolers in transaction mode would break it). `lead` gets that connection and a signal
 * that aborts when leadership is lost. Returns when `signal` aborts.
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
    // A node that vanished without a FIN is noticed by the server within seconds, and the lock with it.
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
