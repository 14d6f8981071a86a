import { setTimeout as wait } from 'node:timers/promises'
import { eventually, openTcpProxy, throwAwayDatabase } from '@frontdesk/testing'
import { expect, test } from 'vitest'
import { isUnavailable } from '../src/errors.ts'
import { leadWhenElected } from '../src/leader.ts'
import { openPool, transaction, type Pool } from '../src/pool.ts'

const portOf = (url: string) => Number(new URL(url).port)

/** Opens a pool through a proxy, with all its connections made and idle. */
async function openThroughProxy(size: number) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await throwAwayDatabase('payments'))
  const proxy = stack.use(await openTcpProxy(portOf(database.url)))
  const pool = openPool({ url: proxy.through(database.url), name: 'test', size })
  stack.defer(() => pool.end())
  await Promise.all(Array.from({ length: size }, () => pool.query('select pg_sleep(0.05)')))
  expect(pool.idleCount).toBe(size)
  const owned = stack.move()
  return { database, proxy, pool, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const answers = async (pool: Pool) => expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])

test('a pool whose connections all go nowhere answers again within 5 s', async () => {
  await using fixture = await openThroughProxy(5)
  const { pool, proxy } = fixture
  proxy.blackHole()
  const began = performance.now()
  // One request after the other: each would meet another dead connection.
  const errors: unknown[] = []
  await eventually(
    () =>
      answers(pool).catch((error: unknown) => {
        errors.push(error)
        throw error
      }),
    { within: 5_000 },
  )
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(errors).toHaveLength(1)
  expect(isUnavailable(errors[0])).toBe(true)
  await Promise.all(Array.from({ length: 10 }, () => answers(pool)))
})

test('statements of all connections, in a transaction or not, fail within 5 s when the connections go nowhere', async () => {
  await using fixture = await openThroughProxy(3)
  const { pool, proxy } = fixture
  const between = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const inTransaction = transaction(pool, async () => {
    begun.resolve()
    await between.promise
  })
  await begun.promise
  proxy.blackHole()
  between.resolve()
  const began = performance.now()
  const outcomes = await Promise.allSettled([inTransaction, pool.query('select 1'), pool.query('select 2')])
  expect(performance.now() - began).toBeLessThan(5_000)
  for (const outcome of outcomes) expect(outcome.status === 'rejected' && isUnavailable(outcome.reason)).toBe(true)
  await answers(pool)
})

test('a statement that Postgres works on for long is left alone', async () => {
  await using fixture = await openThroughProxy(2)
  const { pool } = fixture
  const slow = await pool.query(`select 'done' as state from pg_sleep(6)`)
  expect(slow.rows).toEqual([{ state: 'done' }])
})

test('a leader whose connection goes nowhere learns within 5 s that it leads no longer', async () => {
  await using database = await throwAwayDatabase('payments')
  await using proxy = await openTcpProxy(portOf(database.url))
  const stop = new AbortController()
  const led: string[] = []
  const leading = leadWhenElected(
    { url: proxy.through(database.url), name: 'test', signal: stop.signal, retryMs: 100 },
    async (connection, signal) => {
      led.push('leads')
      try {
        while (!signal.aborted) {
          await connection.query('select 1')
          await wait(20)
        }
      } finally {
        led.push('lost')
      }
    },
  )
  await eventually(() => expect(led).toEqual(['leads']))
  proxy.blackHole()
  await eventually(() => expect(led).toEqual(['leads', 'lost']), { within: 5_000 })
  stop.abort()
  await leading
})

test('after a failover the connections to the old primary are left at the first refused write', async () => {
  await using fixture = await openThroughProxy(4)
  const { pool, database } = fixture
  await pool.query('create table written (a int)')
  const admin = openPool({ url: database.url, name: 'admin', size: 1 })
  await admin.query(`alter database ${database.name} set default_transaction_read_only = on`)
  // The present connections stay writable until they are made anew, as a standby's would stay read-only.
  await Promise.all(
    Array.from({ length: 4 }, () =>
      pool.query('set session characteristics as transaction read only; select pg_sleep(0.05)'),
    ),
  )
  await admin.query(
    'begin; set local transaction read write; alter database ' +
      database.name +
      ' reset default_transaction_read_only; commit',
  )
  const write = () => transaction(pool, (tx) => tx.query('insert into written values (1)'))
  await expect(write()).rejects.toMatchObject({ code: '25006' })
  for (let count = 0; count < 4; count += 1) await write()
  await admin.end()
})
