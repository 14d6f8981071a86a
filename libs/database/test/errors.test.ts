import { throwAwayDatabase, type ThrowAwayDatabase } from '@frontdesk/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDataException, isUnavailable } from '../src/errors.ts'

let database: ThrowAwayDatabase
beforeAll(async () => void (database = await throwAwayDatabase('payments')))
afterAll(() => database[Symbol.asyncDispose]())

/** Returns the error of Postgres that these statements end with. */
async function errorOf(...statements: string[]): Promise<unknown> {
  const client = new pg.Client(database.url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } catch (error) {
    return error
  } finally {
    await client.end()
  }
  throw new Error('nothing failed')
}

/** Returns the error of a connection to this host and port. */
async function connectionError(config: pg.ClientConfig): Promise<unknown> {
  const client = new pg.Client({ user: 'nobody', connectionTimeoutMillis: 300, ...config })
  return client.connect().catch((error: unknown) => error)
}

describe('an error that the database gives while it cannot work means that it is unavailable', () => {
  test.each([
    ['25006', ['set default_transaction_read_only = on', 'create table t (a int)']],
    ['57014', ['set statement_timeout = 10', 'select pg_sleep(5)']],
    ['42501', ['set role payments_runtime', 'drop table outbox']],
    ['42703', ['select not_migrated_yet from outbox']],
    ['42P01', ['select * from not_migrated_yet']],
    ['57P01', ['select pg_terminate_backend(pg_backend_pid())']],
    ['3D000', []],
  ])('%s', async (code, statements) => {
    const error = await (code === '3D000'
      ? connectionError({ connectionString: database.url.replace(/\/[^/]*$/, '/nowhere') })
      : errorOf(...statements))
    expect(error).toMatchObject({ code })
    expect(isUnavailable(error)).toBe(true)
  })

  test.each([
    ['a refused connection', { host: '127.0.0.1', port: 1 }],
    ['an unknown host', { host: 'postgres.invalid', port: 5432 }],
  ])('%s', async (_title, config) => {
    expect(isUnavailable(await connectionError(config))).toBe(true)
  })

  test.each(['EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET'])('%s of the network', (code) => {
    expect(isUnavailable(Object.assign(new Error(`connect ${code}`), { code }))).toBe(true)
  })

  test('a statement that got no answer within its limit', async () => {
    const client = new pg.Client({ connectionString: database.url, query_timeout: 20 })
    await client.connect()
    const error = await client.query('select pg_sleep(1)').catch((fault: unknown) => fault)
    await client.end()
    expect(isUnavailable(error)).toBe(true)
  })
})

test('an error about a value, a constraint or the wording of a statement does not mean it', async () => {
  const tooLong = await errorOf(`select 'x'::int`)
  expect(isDataException(tooLong)).toBe(true)
  for (const error of [
    tooLong,
    await errorOf('selec 1'),
    await errorOf('create temporary table t (a int primary key)', 'insert into t values (1), (1)'),
    new TypeError('x is undefined'),
  ])
    expect(isUnavailable(error)).toBe(false)
})
