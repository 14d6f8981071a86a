import { eventually, openTcpProxy, throwAwayDatabase } from '@frontdesk/testing'
import { expect, test } from 'vitest'
import { newestMigration } from '../src/migrations.ts'
import { openPool } from '../src/pool.ts'
import { openReadiness } from '../src/readiness.ts'
import { migrationsFolder } from '../src/service-databases.ts'

const migration = newestMigration(migrationsFolder('payments'))

test('the check of a database that hangs fails within a second, whatever hangs, and succeeds soon after it is back', async () => {
  await using database = await throwAwayDatabase('payments')
  const port = Number(new URL(database.url).port)
  await using proxy = await openTcpProxy(port)
  const url = proxy.through(database.url)
  await using readiness = openReadiness({ name: 'payments', url, directUrl: url, migration })
  await readiness.check()

  // The open connection goes nowhere, and new ones get no answer either, as from a frozen server.
  proxy.setTargets([0])
  proxy.blackHole()
  for (let probe = 0; probe < 3; probe += 1) {
    const began = performance.now()
    await expect(readiness.check()).rejects.toThrow('Postgres has not answered for 700 ms')
    // 700 ms, and what a busy machine adds.
    expect(performance.now() - began).toBeLessThan(2_500)
  }
  proxy.setTargets([port])
  await eventually(() => readiness.check(), { within: 6_000 })
})

test('a busy pool of the service does not delay the check', async () => {
  await using database = await throwAwayDatabase('payments')
  const { url } = database
  await using readiness = openReadiness({ name: 'payments', url, directUrl: url, migration })
  const pool = openPool({ url, name: 'busy', size: 1 })
  const slow = pool.query('select pg_sleep(1)')
  await readiness.check()
  await slow
  await pool.end()
})

test('the check names what is missing: the migration, or a server that accepts writes', async () => {
  await using database = await throwAwayDatabase('payments')
  const { url } = database
  await using early = openReadiness({ name: 'payments', url, directUrl: url, migration: '9999_tomorrow' })
  await expect(early.check()).rejects.toThrow('migration 9999_tomorrow is missing')
  const admin = openPool({ url, name: 'admin', size: 1 })
  await admin.query(`alter database ${database.name} set default_transaction_read_only = on`)
  await using readiness = openReadiness({ name: 'payments', url, directUrl: url, migration })
  await expect(readiness.check()).rejects.toThrow('Postgres accepts no writes')
  await admin.end()
})
