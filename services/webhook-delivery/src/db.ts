import { openPool, type Pool } from '@frontdesk/database'
import { watchPools } from '@frontdesk/service/metrics'
import { PrismaPg } from '@prisma/adapter-pg'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { PrismaClient } from '#db/client.ts'

export type { Subscription } from '#db/client.ts'

/**
 * The service's database: raw SQL on `pool` for changes and locks, `prisma` for plain reads; both share connections. The
 * engine has its own connections, so that a busy API and a busy engine do not wait for each other.
 */
export interface Database extends AsyncDisposable {
  pool: Pool
  prisma: PrismaClient
  engine: Pool
}

export interface DatabaseOptions {
  url: string
  size: number
  engineSize: number
  log: Logger
  /** Shows the use of its connections, if given. */
  registry?: Registry
}

// Every statement of the engine looks up a short list of keys by index. With outdated statistics the planner would read a
// day's whole partition for a hash join instead.
const engineSettings = { enable_hashjoin: 'off', enable_mergejoin: 'off', enable_seqscan: 'off' }

/** Opens the database; connections appear with the first query. */
export function openDatabase({ url, size, engineSize, log, registry }: DatabaseOptions): Database {
  const onError = (error: Error) => log.warn({ err: error }, 'lost a connection')
  const pool = openPool({ url, size, name: 'webhook-delivery', onError })
  const engine = openPool({
    url,
    size: engineSize,
    settings: engineSettings,
    name: 'webhook-delivery engine',
    onError,
  })
  if (registry !== undefined) watchPools(registry, { requests: pool, engine })
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
  return {
    pool,
    prisma,
    engine,
    async [Symbol.asyncDispose]() {
      await prisma.$disconnect()
      await Promise.all([pool.end(), engine.end()])
    },
  }
}

/**
 * An array parameter of values that need no quotes: ids, numbers, words of our own. pg would search each value for
 * characters to escape, which is a twentieth of the engine's work.
 */
export function plainArray(values: readonly (string | number | null | undefined)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join()}}`
}
