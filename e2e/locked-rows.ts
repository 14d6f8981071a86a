import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** A test's hand on the database of a service: what it locks makes the service wait at a known point. */
export interface Database extends AsyncDisposable {
  rows<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>
  /** Locks in a transaction of its own, once there is a row to lock; returns what lets go of it. */
  hold(sql: string, values?: unknown[]): Promise<() => Promise<void>>
  /** Waits until a statement of the service that holds this text is waiting for a lock. */
  waiting(text: string): Promise<void>
  /** Ends the service's sessions, as the death of its machine would: what they wait to do, they never do. */
  endSessions(): Promise<void>
}

const patience = 20_000

/** Opens the database at a URL. */
export async function openDatabase(connectionString: string): Promise<Database> {
  const pool = new pg.Pool({ connectionString, max: 5, application_name: 'test' })
  // Sessions are ended under it when the dev stack stops.
  pool.on('error', () => {})
  const holding = new Set<pg.PoolClient>()

  async function until<Result>(look: () => Promise<Result | undefined>, otherwise: string): Promise<Result> {
    for (const deadline = Date.now() + patience; Date.now() < deadline; await wait(5)) {
      const found = await look()
      if (found !== undefined) return found
    }
    throw new Error(otherwise)
  }

  return {
    rows: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await pool.query<Row>(sql, values)).rows,
    async hold(sql, values = []) {
      const client = await pool.connect()
      holding.add(client)
      await client.query('begin')
      await until(async () => {
        const { rows, command } = await client.query(sql, values)
        return command === 'LOCK' || rows.length > 0 ? true : undefined
      }, `there is nothing to lock: ${sql}`)
      return async () => {
        await client.query('rollback')
        if (holding.delete(client)) client.release()
      }
    },
    async waiting(text) {
      const sql = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and position($1 in query) > 0 and pid <> pg_backend_pid()`
      await until(async () => ((await pool.query(sql, [text])).rows.length > 0 ? true : undefined), `no ${text} waits`)
    },
    async endSessions() {
      await pool.query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and application_name <> 'test'`,
      )
    },
    async [Symbol.asyncDispose]() {
      // Of a test that failed in between.
      for (const client of holding) client.release(true)
      await pool.end()
    },
  }
}
