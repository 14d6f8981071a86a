import { openPool, type Pool } from '@frontdesk/database'
import { PrismaPg } from '@prisma/adapter-pg'
import type { Logger } from 'pino'
import { PrismaClient } from '#db/client.ts'

export type { Account as AccountRow } from '#db/client.ts'

export interface Database extends AsyncDisposable {
  /** Raw SQL: writes, and the reads that they decide on. */
  pool: Pool
  /** Plain reads, on the same connections. */
  prisma: PrismaClient
}

/** Opens the database of accounts. Connections open with the first query. */
export function openDatabase({ url, size, log }: { url: string; size: number; log: Logger }): Database {
  const pool = openPool({
    url,
    size,
    name: 'accounts',
    onError: (error) => log.warn({ err: error }, 'lost an idle database connection'),
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
