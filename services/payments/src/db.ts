import { openPool, type Pool } from '@frontdesk/database'
import { PrismaPg } from '@prisma/adapter-pg'
import type { Logger } from 'pino'
import { PrismaClient } from '#db/client.ts'

export type { AccountCopy, Payment, ProviderEvent, Refund } from '#db/client.ts'

/** The service's database: raw SQL on `pool` for changes and locks, `prisma` for plain reads. Both share the connections. */
export interface Database extends AsyncDisposable {
  pool: Pool
  prisma: PrismaClient
  /**
   * Connections for lists of payments across sites. Their sessions use only index scans, and take the order from the
   * index, so that a list reads no further than its page: otherwise Postgres reads and sorts a whole range when it cannot estimate
   * the range's length (payment-list/store.ts).
   */
  listPool: Pool
}

/** Opens the database: `size` connections at most, and a fifth as many for lists. They open with the first query. */
export function openDatabase({ url, size, log }: { url: string; size: number; log: Logger }): Database {
  const onError = (error: Error) => log.warn({ err: error }, 'lost a connection')
  const pool = openPool({ url, size, name: 'payments', onError })
  const listPool = openPool({
    url,
    size: Math.ceil(size / 5),
    name: 'payments lists',
    settings: { enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off', enable_incremental_sort: 'off' },
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
