import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** The database of a service, whose rows a test locks to make the service wait at a known point. */
export interface Database extends AsyncDisposable {
  rows<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>
  /** Locks rows in a transaction, once they exist. Returns a function that unlocks them. */
  lock(sql: string, values?: unknown[]): Promise<() => Promise<void>>
  /** Waits until a statement of the service that contains this text waits for a lock. */
  waitsFor(text: string): Promise<void>
  /** Ends the service's sessions: the statements that wait never run. */
  endSessions(): Promise<void>
}

const patienceMs = 20_000

/** Opens the database at a URL. */
export async function openDatabase(connectionString: string): Promise<Database> {
  const pool = new pg.Pool({ connectionString, max: 5, application_name: 'test' })
  // The dev stack ends idle sessions when it stops.
  pool.on('error', () => {})
  const locking = new Set<pg.PoolClient>()

  async function until<Result>(look: () => Promise<Result | undefined>, otherwise: string): Promise<Result> {
    for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await wait(5)) {
      const found = await look()
      if (found !== undefined) return found
    }
    throw new Error(otherwise)
  }

  return {
    rows: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await pool.query<Row>(sql, values)).rows,
    async lock(sql, values = []) {
      const client = await pool.connect()
      locking.add(client)
      await client.query('begin')
      await until(async () => {
        const { rows, command } = await client.query(sql, values)
        return command === 'LOCK' || rows.length > 0 ? true : undefined
      }, `there is no row to lock: ${sql}`)
      return async () => {
        await client.query('rollback')
        if (locking.delete(client)) client.release()
      }
    },
    async waitsFor(text) {
      const sql = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and position($1 in query) > 0 and pid <> pg_backend_pid()`
      await until(async () => ((await pool.query(sql, [text])).rows.length > 0 ? true : undefined), `no ${text} waits`)
    },
    async endSessions() {
      await pool.query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and application_name <> 'test'`,
      )
    },
    async [Symbol.asyncDispose]() {
      // A test that failed has not unlocked.
      for (const client of locking) client.release(true)
      await pool.end()
    },
  }
}
