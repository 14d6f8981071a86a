import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { closeNow, endConnection, streamOf } from './connection.ts'

const lookEveryMs = 500
/** So long may a statement be silent before the server is asked about it. */
const suspectAfterMs = 2_000
/** So long the server has for its answer. */
const answerWithinMs = 2_000
/** So long may a statement be silent that the server cannot be asked about. Above `statement_timeout`, 30 s. */
export const longestSilenceMs = 33_000

export interface SilenceWatch {
  /** Watches a connection until it ends. `isPooled`: the server does not know it by its process id. */
  watch(client: pg.ClientBase, isPooled?: () => boolean): void
  /** Closes the connections without a statement or transaction that sent nothing after `since` (`performance.now()`; default: now). */
  evictIdle(since?: number): void
}

interface Watched {
  isPooled: () => boolean
  bytesRead: number
  /** When bytes came last, as of a look (`performance.now()`). */
  heardAt: number
  /** Milliseconds of silence of the present statement, counted in looks: a process that was stopped itself heard nothing. */
  silentMs: number
  /** The silence at which the server last said that it works on the statement. */
  confirmedMs: number
}

/**
 * Watches connections to Postgres for statements that nobody works on. If a node or a route vanishes, nothing ends the
 * connections that go there: their statements wait, and a pool of them stays full. So once a statement has been silent for 2 s,
 * the server is asked about it on a new connection. If it does not work on the statement, or does not answer, the connection
 * is closed, and so are idle connections that have been silent as long. A statement that the server works on may take as
 * long as `statement_timeout` lets it.
 *
 * It looks at each connection twice a second and costs a statement nothing. pg's own `query_timeout` needs one limit for
 * all statements, and gives the connection back to the pool with the statement still under way.
 */
export function watchSilence(config: pg.ClientConfig): SilenceWatch {
  const clients = new Map<pg.ClientBase, Watched>()
  let timer: NodeJS.Timeout | undefined
  let asking = false

  function look(): void {
    const now = performance.now()
    const suspects: pg.ClientBase[] = []
    for (const [client, watched] of clients) {
      const { bytesRead } = streamOf(client)
      const isHeard = bytesRead !== watched.bytesRead
      if (isHeard) Object.assign(watched, { bytesRead, heardAt: now })
      if (isHeard || isReady(client)) {
        Object.assign(watched, { silentMs: 0, confirmedMs: 0 })
        continue
      }
      watched.silentMs += lookEveryMs
      const unconfirmedMs = watched.silentMs - watched.confirmedMs
      if (unconfirmedMs >= longestSilenceMs) abandon(client, watched)
      else if (unconfirmedMs >= suspectAfterMs && !watched.isPooled()) suspects.push(client)
    }
    if (suspects.length > 0 && !asking) {
      asking = true
      void ask(suspects).finally(() => (asking = false))
    }
  }

  async function ask(suspects: pg.ClientBase[]): Promise<void> {
    const working = await workingBackends(config, suspects.map(processId))
    if (working === 'unknown') return
    // An answer that left the server meanwhile arrives in this time.
    await wait(100)
    // If Postgres does not answer at all, nothing else is worth the wait either.
    const doubtful = working === 'away' ? [...clients.keys()] : suspects
    for (const client of doubtful) {
      const watched = clients.get(client)
      if (watched === undefined || isReady(client) || streamOf(client).bytesRead !== watched.bytesRead) continue
      if (working === 'away') {
        if (watched.silentMs >= answerWithinMs / 2) abandon(client, watched)
      } else if (working.has(processId(client))) watched.confirmedMs = watched.silentMs
      else abandon(client, watched)
    }
  }

  function abandon(client: pg.ClientBase, { silentMs }: Watched): void {
    closeNow(client, silent())
    evictIdle(performance.now() - silentMs + lookEveryMs)
  }

  function evictIdle(since = performance.now()): void {
    for (const [client, watched] of clients)
      if (isReady(client) && isOutsideTransaction(client) && watched.heardAt <= since) closeNow(client, silent())
  }

  return {
    evictIdle,
    watch(client, isPooled = () => false) {
      const { bytesRead } = streamOf(client)
      const heardAt = performance.now()
      clients.set(client, { isPooled, bytesRead, heardAt, silentMs: 0, confirmedMs: 0 })
      timer ??= setInterval(look, lookEveryMs).unref()
      client.once('end', () => {
        clients.delete(client)
        if (clients.size > 0) return
        clearInterval(timer)
        timer = undefined
      })
    },
  }
}

/**
 * Returns which of these backends work on a statement. `away`: Postgres does not answer. `unknown`: it answers, but cannot tell
 * now, for instance because it has too many clients.
 */
async function workingBackends(config: pg.ClientConfig, pids: number[]): Promise<Set<number> | 'away' | 'unknown'> {
  const client = new pg.Client({
    ...config,
    application_name: `${config.application_name ?? ''} silence`,
    connectionTimeoutMillis: answerWithinMs,
  })
  client.on('error', () => {})
  const late = setTimeout(() => closeNow(client, silent()), answerWithinMs)
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>(
      // After a failover another server may have backends with the same process ids.
      `select pid from pg_stat_activity
       where pid = any($1::int[]) and application_name = $2 and state in ('active', 'fastpath function call')`,
      [pids, config.application_name ?? ''],
    )
    return new Set(rows.map(({ pid }) => pid))
  } catch (error) {
    return error instanceof pg.DatabaseError ? 'unknown' : 'away'
  } finally {
    clearTimeout(late)
    void endConnection(client)
  }
}

function silent(): Error {
  return Object.assign(new Error('Postgres does not answer on this connection'), { code: 'ETIMEDOUT' })
}

/** Whether no statement is under way. */
function isReady(client: pg.ClientBase): boolean {
  return (client as unknown as { readyForQuery: boolean }).readyForQuery
}

function isOutsideTransaction(client: pg.ClientBase): boolean {
  return (client as unknown as { getTransactionStatus(): string | null }).getTransactionStatus() === 'I'
}

function processId(client: pg.ClientBase): number {
  return (client as unknown as { processID: number | null }).processID ?? 0
}
