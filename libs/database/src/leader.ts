import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { endConnection, PooledConnectionError, prepareConnection, type SessionSettings } from './connection.ts'
import { clientConfig } from './login.ts'
import { watchSilence } from './silence.ts'

export interface LeaderOptions {
  url: string
  /** Names the lock: the replicas that pass the same name compete for it. */
  name: string
  signal: AbortSignal
  /** Further settings of the leader's session. */
  settings?: SessionSettings
  /** Milliseconds between two attempts to get the lock. Default 2000. */
  retryMs?: number
  onError?: (error: unknown) => void
  /** Called at each attempt to get the lock: this loop has come round. */
  onAttempt?: () => void
}

const leaderSettings: SessionSettings = {
  jit: 'off',
  // The server releases the lock within seconds when the leader's machine vanishes without a FIN.
  idle_session_timeout: '10s',
  tcp_keepalives_idle: '3',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
}

/**
 * Runs `lead` in at most one process at a time: the one that holds a session advisory lock. The lock has a connection of
 * its own, which must not go through a pooler: `onError` then gets a PooledConnectionError. `lead` gets that connection, and a
 * signal that aborts when the connection, and so the lock, is lost. Returns when `signal` aborts.
 */
export async function leadWhenElected(
  { url, name, signal, settings = {}, retryMs = 2000, onError = () => {}, onAttempt = () => {} }: LeaderOptions,
  lead: (connection: pg.Client, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    onAttempt()
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
  const config = { ...clientConfig(url), application_name: `${name} leader`, keepAlive: true }
  const connection = new pg.Client({ ...config, connectionTimeoutMillis: 3000 })
  connection.on('error', (error) => lost.abort(error))
  connection.on('end', () => lost.abort(new Error('connection ended')))
  try {
    await connection.connect()
    watchSilence(config).watch(connection)
    if (await prepareConnection(connection, { ...leaderSettings, ...settings }))
      throw new PooledConnectionError(config.application_name)
    const answer = await connection.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as won', [name])
    if (answer.rows[0]?.won === true) await lead(connection, AbortSignal.any([signal, lost.signal]))
  } finally {
    await endConnection(connection)
  }
}
