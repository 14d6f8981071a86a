import { openPool, type Pool } from '@frontdesk/database'
import { PrismaPg } from '@prisma/adapter-pg'
import type { Logger } from 'pino'
import { PrismaClient } from '#db/client.ts'

export type { AccountCopy, Payment, ProviderEvent, Refund } from '#db/client.ts'

/** The service's database: raw SQL on `pool` for changes and locks, `prisma` for plain reads. Both share the connections. */
export interface Database extends AsyncDisposable {
  pool: Pool
  prisma: PrismaClient
}

export function openDatabase({ url, size, log }: { url: string; size: number; log: Logger }): Database {
  const pool = openPool({
    url,
    size,
    name: 'payments',
    onError: (error) => log.warn({ err: error }, 'lost a connection'),
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
