import { openPool, type Pool } from '@frontdesk/database'
import { PrismaPg } from '@prisma/adapter-pg'
import type { Logger } from 'pino'
import { PrismaClient } from '#db/client.ts'

export interface Database extends AsyncDisposable {
  /** Raw SQL: every write, every lock, and the hot reads. */
  pool: Pool
  /** The same connections, for plain reads. */
  prisma: PrismaClient
}

/**
 * Opens the database of the registry; connections appear at the first query. Its sessions know no scans but those of
 * indexes, so that a list reads only as far as it needs: Postgres would else read and sort a whole range where it cannot
 * see how long that is (site-list/store.ts).
 */
export function openDatabase({ url, size, log }: { url: string; size: number; log: Logger }): Database {
  const pool = openPool({
    url,
    name: 'registry',
    size,
    settings: '-c enable_seqscan=off -c enable_bitmapscan=off',
    onError: (error) => log.warn({ err: error }, 'an idle database connection was lost'),
  })
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
  return {
    pool,
    prisma,
    async [Symbol.asyncDispose]() {
      await prisma.$disconnect()
      await pool.end()
    },
  }
}
