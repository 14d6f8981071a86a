import { openPool, type Pool, type Queryable } from '@frontdesk/database'
import { createAct } from '@frontdesk/service/audit'
import { throwAwayDatabase, type ThrowAwayDatabase } from '@frontdesk/testing'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyProviderAccount, type Account, type Decision } from '../src/accounts/domain.ts'
import { changeAccount, openAccount } from '../src/accounts/store.ts'
import { someSite } from './accounts-fixture.ts'

let database: ThrowAwayDatabase
let pool: Pool
beforeAll(async () => {
  database = await throwAwayDatabase('accounts')
  pool = openPool({ url: database.url, name: 'test' })
})
afterAll(async () => {
  await pool.end()
  await database[Symbol.asyncDispose]()
})

const provider = { name: 'Sandbox', accountRequest: () => ({ idempotencyKey: 'acct_1', params: {} }) } as const
const origin = { service: 'accounts', publicUrl: 'https://frontdesk.example' }

/** Makes an account. Its first status is version 1, told by an event of its own, and its state version 2. */
async function confirmedAccount(): Promise<string> {
  const accountId = uuidv7()
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
  const act = createAct({ operation: 'createAccount', principal: { id: 'client:test' }, headers: {}, traceId })
  await openAccount(pool, { accountId, site: someSite(), provider, traceparent, act })
  await changeAccount(pool, origin, accountId, adding(''))
  return accountId
}

/** A change that adds a letter to the statement prefix: every one of them is visible in the result. */
const adding =
  (letter: string) =>
  (account: Account): Decision =>
    applyProviderAccount(account, {
      externalAccountId: 'acct_1',
      status: 'Active',
      statementDescriptorPrefix: (account.statementDescriptorPrefix ?? '') + letter,
    })

/** The versions of the events that carry the whole state. */
async function versionsInOutbox(accountId: string): Promise<number[]> {
  const events = await pool.query<{ aggregate_version: number; payload: Buffer }>(
    `select aggregate_version, payload from outbox
      where aggregate_id = $1 and subject like 'evt.int.%' order by seq`,
    [accountId],
  )
  return events.rows.map((row) => {
    const { data } = JSON.parse(row.payload.toString('utf8')) as { data: { version: number } }
    expect(data.version).toBe(row.aggregate_version)
    return row.aggregate_version
  })
}

test('changes of one account that race all take effect, each with the next version', async () => {
  const accountId = await confirmedAccount()
  const letters = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
  await Promise.all(letters.map((letter) => changeAccount(pool, origin, accountId, adding(letter))))
  const saved = await pool.query<{ prefix: string; version: number }>(
    'select statement_descriptor_prefix as prefix, version from accounts where id = $1',
    [accountId],
  )
  const { prefix = '', version } = saved.rows[0] ?? {}
  expect(prefix).toHaveLength(letters.length)
  expect(new Set(prefix)).toEqual(new Set(letters))
  expect(version).toBe(10)
  expect(await versionsInOutbox(accountId)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('a change that loses a race is decided again on what the winner saved, even if the winner made no event', async () => {
  const accountId = await confirmedAccount()
  const seen: unknown[] = []
  const silent = (account: Account): Decision => ({ next: { ...account, disabledReason: 'winner' }, events: [] })
  let isOvertaken = false
  const overtaken: Pick<Queryable, 'query'> = {
    async query(text, values) {
      const result = await pool.query(text, values)
      if (!isOvertaken) {
        isOvertaken = true
        await changeAccount(pool, origin, accountId, silent)
      }
      return result as never
    },
  }
  await changeAccount(overtaken, origin, accountId, (account) => {
    seen.push(account.disabledReason)
    return adding('A')(account)
  })
  expect(seen).toEqual([undefined, 'winner'])
  expect(await versionsInOutbox(accountId)).toEqual([2, 3])
})
