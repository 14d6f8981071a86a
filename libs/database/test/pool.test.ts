import { throwAwayDatabase } from '@frontdesk/testing'
import { expect, test } from 'vitest'
import { isUnavailable } from '../src/errors.ts'
import { openPool, transaction } from '../src/pool.ts'

test('A connection that is lost during a transaction fails only that transaction', async () => {
  await using database = await throwAwayDatabase('payments')
  const pool = openPool({ url: database.url, name: 'test' })
  const fault = await transaction(pool, async (tx) => {
    const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await new Promise((resolve) => setTimeout(resolve, 100))
    await tx.query('select 1')
  }).catch((error: unknown) => error)
  expect(isUnavailable(fault)).toBe(true)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
})
