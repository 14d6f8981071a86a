import { eventually } from '@frontdesk/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newKey, openAccountsBench, someSite, type AccountsBench } from './accounts-bench.ts'

let bench: AccountsBench
beforeAll(async () => {
  bench = await openAccountsBench()
})
afterEach(() => bench.network.inject(undefined))
afterAll(() => bench[Symbol.asyncDispose]())

const body = { paymentProvider: 'Sandbox' }
const isCreation = (request: { method: string; path: string }) =>
  request.method === 'POST' && request.path === '/v1/accounts'

test('when every reply of the provider is lost, the client hears 503, and its retry finds the one account that was made', async () => {
  const site = someSite()
  const key = newKey()
  bench.network.inject((request) => (isCreation(request) ? 'lose reply' : 'none'))
  const lost = await bench.call('createAccount', site, { body, key })
  expect(lost).toMatchObject({ status: 503, body: { code: 'provider_outcome_unknown' } })
  expect(lost.headers.get('retry-after')).toBeTruthy()
  expect((await bench.call('listAccounts', site)).body).toEqual([])

  bench.network.inject(undefined)
  const retried = await bench.call('createAccount', site, { body, key })
  expect(retried.status).toBe(201)
  const keys = bench.network.requests.filter(isCreation).map((request) => request.idempotencyKey)
  expect(new Set(keys)).toContain(`acct_${retried.body.account.accountId}`)
  expect(new Set(keys.filter((used) => used?.includes(retried.body.account.accountId))).size).toBe(1)
})

test('an account whose creation nobody asked about again is confirmed by the check that is due', async () => {
  const site = someSite()
  bench.network.inject((request) => (isCreation(request) ? 'lose reply' : 'none'))
  expect((await bench.call('createAccount', site, { body })).status).toBe(503)
  bench.network.inject(undefined)
  await bench.pool.query('update accounts set next_check_at = now() where site_slug = $1', [site.slug])
  await eventually(async () => {
    const list = await bench.call('listAccounts', site)
    expect(list.body).toMatchObject([{ status: 'None', externalAccountId: expect.stringMatching(/^acct_/) }])
  })
})

test('while the provider refuses connections, creation is 503 at once and reads answer from the record', async () => {
  const site = someSite()
  const { body: made } = await bench.call('createAccount', site, { body })
  await bench.network.close()
  try {
    const began = performance.now()
    const away = await bench.call('createAccount', someSite(), { body })
    expect(away).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } })
    expect(performance.now() - began).toBeLessThan(3_000)
    await bench.pool.query(`update accounts set checked_at = now() - interval '2 minutes' where site_slug = $1`, [
      site.slug,
    ])
    const read = await bench.call('getAccount', site, { params: { AccountId: made.account.accountId } })
    expect(read).toMatchObject({ status: 200, body: made.account })
  } finally {
    await bench.network.open()
  }
})

test('a lost webhook is healed by a read that is older than a minute', async () => {
  const site = someSite()
  const { body: made } = await bench.call('createAccount', site, { body })
  const { accountId, externalAccountId } = made.account
  bench.onWebhook(async () => 200)
  await bench.control(`accounts/${externalAccountId}/complete`)
  await eventually(() =>
    expect(bench.webhooks.some(({ body: raw }) => raw.includes(externalAccountId ?? '?'))).toBe(true),
  )
  const read = () => bench.call('getAccount', site, { params: { AccountId: accountId } })
  expect((await read()).body.status).toBe('None')
  await bench.pool.query(`update accounts set checked_at = now() - interval '61 seconds' where id = $1`, [accountId])
  expect((await read()).body.status).toBe('Active')
})
