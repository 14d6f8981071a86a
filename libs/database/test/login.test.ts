import { writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually, throwAwayDatabase } from '@frontdesk/testing'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { clientConfig, databaseUrls, migrationUrl, withPasswordFile } from '../src/login.ts'
import { openPool } from '../src/pool.ts'

/** Opens a database with a login role whose password the test may change, and a file for it. */
async function openLogin() {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await throwAwayDatabase('registry'))
  const folder = stack.use(await throwAwayFolder())
  const administrator = new pg.Pool({ connectionString: database.url, max: 1 })
  const role = `rotated_${process.pid}_${Date.now()}`
  await administrator.query(`create role ${role} login password 'first' in role registry_runtime`)
  stack.defer(async () => {
    await administrator.query(`drop role ${role}`)
    await administrator.end()
  })
  const url = new URL(database.url)
  url.username = role
  url.password = ''
  const file = `${folder.path}/password`
  await writeFile(file, 'first\n')
  const owned = stack.move()
  return {
    url: withPasswordFile(url.toString(), file),
    writeFile: (content: string) => writeFile(file, content),
    setPassword: (password: string) => administrator.query(`alter role ${role} password '${password}'`),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Has four clients ask over connections that are new each time, until `stop`. Returns how many answers and failures there were. */
function load(url: string) {
  const pool = openPool({ url, name: 'load', size: 4 })
  const counts = { answers: 0, failures: [] as unknown[] }
  let stopped = false
  const clients = Array.from({ length: 4 }, async () => {
    while (!stopped) {
      try {
        const client = await pool.connect()
        await client.query('select 1')
        client.release(true)
        counts.answers++
      } catch (error) {
        counts.failures.push(error)
      }
    }
  })
  const stop = async () => {
    stopped = true
    await Promise.all(clients)
    await pool.end()
    return counts
  }
  onTestFinished(async () => void (stopped = true))
  return { counts, stop }
}

test('A password is rotated with old and new in the file meanwhile, and no request of a pool under load fails', async () => {
  await using login = await openLogin()
  const { counts, stop } = load(login.url)
  const answered = async (more: number): Promise<void> => {
    for (const until = counts.answers + more; counts.answers < until && counts.failures.length === 0;) await wait(10)
  }
  await answered(4)
  await login.writeFile('second\nfirst\n')
  await answered(8)
  await login.setPassword('second')
  await answered(8)
  await login.writeFile('second\n')
  await answered(8)
  expect(await stop()).toMatchObject({ failures: [] })
})

test('A pool whose password is wrong for a moment logs in once the file has the right one', async () => {
  await using login = await openLogin()
  await login.setPassword('second')
  const pool = openPool({ url: login.url, name: 'late', size: 1 })
  const asked = pool.query('select 1 as one')
  await wait(300)
  await login.writeFile('second')
  expect((await asked).rows).toEqual([{ one: 1 }])
  await pool.end()
})

test('A pool without its password file keeps no half-open connection on the server', async () => {
  await using database = await throwAwayDatabase('registry')
  const url = new URL(database.runtimeUrl)
  url.password = ''
  const pool = openPool({ url: withPasswordFile(url.toString(), '/nowhere/password'), name: 'x', size: 2 })
  await expect(pool.query('select 1')).rejects.toThrow(/nowhere/)
  // Such a connection would keep Postgres from dropping the database for a minute.
  const server = new pg.Pool({ connectionString: database.url, max: 1 })
  const waiting = () =>
    server.query(`select pid from pg_stat_activity where state = 'starting' and pid <> pg_backend_pid()`)
  await eventually(async () => expect((await waiting()).rows).toEqual([]))
  await Promise.all([pool.end(), server.end()])
})

test("A URL with libpq's settings of TLS checks the server's certificate", () => {
  expect(clientConfig('postgresql://a@h/d?sslmode=verify-full').ssl).toEqual({})
  expect(clientConfig('postgresql://a@h/d').ssl).toBeUndefined()
})

test('One password file serves the address of the pooler and that of Postgres; provisioning has its own', () => {
  const env = {
    PAYMENTS_DATABASE_URL: 'postgresql://payments_runtime@pooler/payments',
    PAYMENTS_DIRECT_DATABASE_URL: 'postgresql://payments_runtime@db/payments',
    PAYMENTS_DATABASE_PASSWORD_FILE: '/run/secrets/payments',
  }
  expect(databaseUrls('PAYMENTS', env)).toEqual({
    url: 'postgresql://payments_runtime@pooler/payments?passwordfile=%2Frun%2Fsecrets%2Fpayments',
    directUrl: 'postgresql://payments_runtime@db/payments?passwordfile=%2Frun%2Fsecrets%2Fpayments',
  })
  const owner = { PAYMENTS_OWNER_DATABASE_URL: 'postgresql://payments_owner@db/payments' }
  expect(migrationUrl('PAYMENTS', { ...env, ...owner })).toBe(owner.PAYMENTS_OWNER_DATABASE_URL)
  expect(migrationUrl('PAYMENTS', env)).toBe(databaseUrls('PAYMENTS', env).directUrl)
})
