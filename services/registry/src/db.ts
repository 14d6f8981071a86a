import { openPool, type Pool } from '@frontdesk/database'
import { PrismaPg } from '@prisma/adapter-pg'
import type { Logger } from 'pino'
import { PrismaClient } from '#db/client.ts'

export interface Database extends AsyncDisposable {
  /** Raw SQL: writes, locks and hot reads. */
  pool: Pool
  /** Plain reads, on the connections of `pool`. */
  prisma: PrismaClient
  /**
   * Connections for lists of sites. Their sessions use only index scans, so that a list reads no further than its page:
   * otherwise Postgres reads and sorts a whole range when it cannot estimate the range's length (site-list/store.ts).
   */
  listPool: Pool
}

/** Opens the registry's database: `size` connections at most, and half as many for lists. They open with the first query. */
export function openDatabase({ url, size, log }: { url: string; size: number; log: Logger }): Database {
  const onError = (error: Error) => log.warn({ err: error }, 'lost an idle database connection')
  const pool = openPool({ url, name: 'registry', size, onError })
  const listPool = openPool({
    url,
    name: 'registry lists',
    size: Math.ceil(size / 2),
    settings: { enable_seqscan: 'off', enable_bitmapscan: 'off' },
    onError,
  })
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
  return {
    pool,
    prisma,
    listPool,
    async [Symbol.asyncDispose]() {
      await prisma.$disconnect()
      await Promise.all([pool.end(), listPool.end()])
    },
  }
}
