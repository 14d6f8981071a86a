import { openPool } from '@frontdesk/database'
import { eventually, throwAwayDatabase } from '@frontdesk/testing'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { watchPools } from '../src/metrics/index.ts'

test('a pool tells how many connections are busy, how many statements wait, and for how long they had to', async () => {
  await using database = await throwAwayDatabase('accounts')
  const pool = openPool({ url: database.url, name: 'pools test', size: 1 })
  const metrics = new Registry()
  watchPools(metrics, { requests: pool })
  const figures = () => metrics.metrics()
  try {
    const held = await pool.connect()
    const waiting = [pool.query('select 1'), pool.connect().then((client) => client.release())]
    expect(await figures()).toMatch(/^postgres_pool_connections\{pool="requests",state="busy"\} 1$/m)
    expect(await figures()).toMatch(/^postgres_pool_waiting\{pool="requests"\} 2$/m)
    expect(await figures()).toMatch(/^postgres_pool_size\{pool="requests"\} 1$/m)
    await new Promise((resolve) => setTimeout(resolve, 60))
    held.release()
    await Promise.all(waiting)
    // The first opened the connection, the other two waited for it.
    await eventually(async () =>
      expect(await figures()).toMatch(/^postgres_pool_wait_seconds_count\{pool="requests"\} 3$/m),
    )
    expect(await figures()).toMatch(/^postgres_pool_wait_seconds_bucket\{le="0.05",pool="requests"\} [01]$/m)
    // One that finds an idle connection has not waited.
    await pool.query('select 1')
    expect(await figures()).toMatch(/^postgres_pool_wait_seconds_count\{pool="requests"\} 3$/m)
    expect(await figures()).toMatch(/^postgres_pool_connections\{pool="requests",state="idle"\} 1$/m)
  } finally {
    await pool.end()
  }
})
