import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Queryable } from '@frontdesk/database'
import pg from 'pg'
import type { Logger } from 'pino'
import { v4 as uuidv4 } from 'uuid'

// "WHKD": our part of Postgres's advisory locks with two keys.
const lockClass = 0x57484b44
const checkEveryMs = 2_000
const retryMs = 200

/** Shows other copies that this process lives: an advisory lock of its own, which Postgres frees the moment it dies. */
export interface Presence {
  /** Eight hexadecimal digits. */
  instance: string
  /** A claim of this process: a fresh id that begins with the instance. */
  newClaimId(): string
  /** Holds the lock until `signal` aborts, again after every lost connection. */
  run(signal: AbortSignal): Promise<void>
}

export interface PresenceOptions {
  url: string
  log: Logger
  /** The lock is held (true), or was lost: then others may soon take over what this process holds. */
  onChange: (present: boolean) => void
}

export function createPresence({ url, log, onChange }: PresenceOptions): Presence {
  const instance = randomBytes(4).toString('hex')

  async function hold(signal: AbortSignal): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'webhook-delivery presence',
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
      query_timeout: 5_000,
    })
    const lost = new AbortController()
    client.on('error', () => lost.abort())
    client.on('end', () => lost.abort())
    const until = AbortSignal.any([signal, lost.signal])
    try {
      await client.connect()
      await client.query('select pg_advisory_lock($1::int, $2::int)', [
        lockClass,
        Buffer.from(instance, 'hex').readInt32BE(),
      ])
      onChange(true)
      while (!until.aborted) {
        await wait(checkEveryMs, undefined, { signal: until }).catch(() => {})
        if (!until.aborted) await client.query('select 1')
      }
    } finally {
      onChange(false)
      await client.end().catch(() => {})
    }
  }

  return {
    instance,
    newClaimId: () => instance + uuidv4().slice(8),
    async run(signal) {
      while (!signal.aborted) {
        await hold(signal).catch((error) => log.debug({ err: error }, 'presence was lost'))
        await wait(retryMs, undefined, { signal }).catch(() => {})
      }
    },
  }
}

/** The instances that live. */
export async function presentInstances(db: Queryable): Promise<Set<string>> {
  const result = await db.query<{ instance: string }>({
    name: 'delivery-present',
    text: `select lpad(to_hex(objid::bigint), 8, '0') as instance from pg_locks
            where locktype = 'advisory' and classid = $1::bigint::oid and objsubid = 2 and granted
              and database = (select oid from pg_database where datname = current_database())`,
    values: [lockClass],
  })
  return new Set(result.rows.map((row) => row.instance))
}
