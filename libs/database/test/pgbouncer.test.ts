import { noPgBouncer, throwAwayDatabase, throwAwayPgBouncer } from '@frontdesk/testing'
import { describe, expect, test } from 'vitest'
import { PooledConnectionError } from '../src/connection.ts'
import { leadWhenElected } from '../src/leader.ts'
import { newestMigration } from '../src/migrations.ts'
import { openPool, transaction } from '../src/pool.ts'
import { openReadiness } from '../src/readiness.ts'
import { migrationsFolder } from '../src/service-databases.ts'

/** Opens a database behind PgBouncer in transaction mode, where six connections share two backends. */
async function openPooled() {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await throwAwayDatabase('payments'))
  const bouncer = stack.use(await throwAwayPgBouncer(database.url, 2))
  const open = (name: string, settings = {}) => {
    const pool = openPool({ url: bouncer.url, name, size: 6, settings })
    stack.defer(() => pool.end())
    return pool
  }
  const planned = open('planned', { enable_seqscan: 'off' })
  const plain = open('plain')
  const owned = stack.move()
  return {
    database,
    bouncer,
    planned,
    plain,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const settings = `select current_setting('jit') as jit, current_setting('statement_timeout') as timeout,
  current_setting('enable_seqscan') as seqscan, pg_sleep(0.01)::text`

describe.skipIf(noPgBouncer !== undefined)(noPgBouncer ?? 'through PgBouncer in transaction mode', () => {
  test('statements with names run on whichever backend they get', async () => {
    await using fixture = await openPooled()
    const ask = (count: number) =>
      fixture.plain.query<{ count: number }>({
        name: `named-${count % 3}`,
        text: `select $1::int as count, ${count % 3} as kind, pg_sleep(0.002)`,
        values: [count],
      })
    const found = await Promise.all(Array.from({ length: 60 }, (_, count) => ask(count)))
    expect(found.map(({ rows }) => rows[0]?.count)).toEqual(Array.from({ length: 60 }, (_, count) => count))
  })

  test('each statement and each transaction has the settings of its pool, and no other pool has them', async () => {
    await using fixture = await openPooled()
    const { planned, plain } = fixture
    const many = <Result>(work: () => Promise<Result>) => Promise.all(Array.from({ length: 12 }, work))
    const [ofPlanned, ofPlain, inTransactions] = await Promise.all([
      many(() => planned.query(settings)),
      many(() => plain.query(settings)),
      many(() => transaction(planned, (tx) => tx.query(settings))),
    ])
    for (const { rows } of [...ofPlanned, ...inTransactions])
      expect(rows).toMatchObject([{ jit: 'off', timeout: '30s', seqscan: 'off' }])
    for (const { rows } of ofPlain) expect(rows).toMatchObject([{ jit: 'off', timeout: '30s', seqscan: 'on' }])
  })

  test('a statement that fails leaves its connection usable and commits nothing', async () => {
    await using fixture = await openPooled()
    const { plain } = fixture
    await plain.query('create table kept (a int primary key)')
    await plain.query('insert into kept values (1)')
    await expect(plain.query('insert into kept values (2), (1)')).rejects.toMatchObject({ code: '23505' })
    const failing = transaction(plain, async (tx) => {
      await tx.query('insert into kept values (3)')
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect((await plain.query('select a from kept')).rows).toEqual([{ a: 1 }])
  })

  test('no leader is elected, and the error names the setting that is missing', async () => {
    await using fixture = await openPooled()
    const stop = new AbortController()
    const { promise, resolve } = Promise.withResolvers<unknown>()
    let led = false
    const leading = leadWhenElected(
      { url: fixture.bouncer.url, name: 'payments relay', signal: stop.signal, onError: resolve },
      async () => void (led = true),
    )
    const error = await promise
    stop.abort()
    await leading
    expect(led).toBe(false)
    expect(error).toBeInstanceOf(PooledConnectionError)
    expect(String(error)).toContain('_DIRECT_DATABASE_URL')
  })

  test('a service is ready only with an address of Postgres itself for its locks', async () => {
    await using fixture = await openPooled()
    const migration = newestMigration(migrationsFolder('payments'))
    const check = async (directUrl: string) => {
      await using readiness = openReadiness({ name: 'payments', url: fixture.bouncer.url, directUrl, migration })
      await readiness.check()
    }
    await expect(check(fixture.bouncer.url)).rejects.toThrow(/DIRECT_DATABASE_URL/)
    await check(fixture.database.url)
  })
})
