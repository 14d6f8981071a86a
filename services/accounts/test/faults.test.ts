import { eventually } from '@frontdesk/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newKey, openAccountsFixture, someSite, type AccountsFixture } from './accounts-fixture.ts'

let fixture: AccountsFixture
beforeAll(async () => {
  fixture = await openAccountsFixture()
})
afterEach(() => fixture.network.inject(undefined))
afterAll(() => fixture[Symbol.asyncDispose]())

const body = { paymentProvider: 'Sandbox' }
const isCreation = (request: { method: string; path: string }) =>
  request.method === 'POST' && request.path === '/v1/accounts'

test('when every reply of the provider is lost, the client gets 503, and its retry gets the one account that was created', async () => {
  const site = someSite()
  const key = newKey()
  fixture.network.inject((request) => (isCreation(request) ? 'lose reply' : 'none'))
  const lost = await fixture.call('createAccount', site, { body, key })
  expect(lost).toMatchObject({ status: 503, body: { code: 'provider_outcome_unknown' } })
  expect(lost.headers.get('retry-after')).toBeTruthy()
  expect((await fixture.call('listAccounts', site)).body).toEqual([])

  fixture.network.inject(undefined)
  const retried = await fixture.call('createAccount', site, { body, key })
  expect(retried.status).toBe(201)
  const keys = fixture.network.requests.filter(isCreation).map((request) => request.idempotencyKey)
  expect(new Set(keys)).toContain(`acct_${retried.body.account.accountId}`)
  expect(new Set(keys.filter((used) => used?.includes(retried.body.account.accountId))).size).toBe(1)
})

test('a deploy between two tries sends the same bytes: the request is stored, not built again', async () => {
  const [known, old] = [someSite(), someSite()]
  fixture.network.inject((request) => (isCreation(request) ? 'lose reply' : 'none'))
  for (const site of [known, old]) expect((await fixture.call('createAccount', site, { body })).status).toBe(503)
  fixture.network.inject(undefined)
  // A release that builds another request from the same order.
  await fixture.pool.query(
    `update accounts set provider_order = jsonb_set(provider_order, '{siteName}', '"Another Name"') where site_slug = $1`,
    [known.slug],
  )
  // A row of a release that stored the order alone.
  await fixture.pool.query('update accounts set provider_request = null where site_slug = $1', [old.slug])
  for (const site of [known, old]) expect((await fixture.call('createAccount', site, { body })).status).toBe(200)
})

test('an account whose creation was not retried is confirmed by its due check', async () => {
  const site = someSite()
  fixture.network.inject((request) => (isCreation(request) ? 'lose reply' : 'none'))
  expect((await fixture.call('createAccount', site, { body })).status).toBe(503)
  fixture.network.inject(undefined)
  await fixture.pool.query('update accounts set next_check_at = now() where site_slug = $1', [site.slug])
  await eventually(async () => {
    const list = await fixture.call('listAccounts', site)
    expect(list.body).toMatchObject([{ status: 'None', externalAccountId: expect.stringMatching(/^acct_/) }])
  })
})

test('while the provider refuses connections, creation answers 503 at once and reads answer from the record', async () => {
  const site = someSite()
  const { body: made } = await fixture.call('createAccount', site, { body })
  await fixture.network.close()
  try {
    const began = performance.now()
    const away = await fixture.call('createAccount', someSite(), { body })
    expect(away).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } })
    expect(performance.now() - began).toBeLessThan(3_000)
    await fixture.pool.query(`update accounts set checked_at = now() - interval '2 minutes' where site_slug = $1`, [
      site.slug,
    ])
    const read = await fixture.call('getAccount', site, { params: { AccountId: made.account.accountId } })
    expect(read).toMatchObject({ status: 200, body: made.account })
  } finally {
    await fixture.network.open()
  }
})

test('a read makes up for a lost webhook once the record is older than a minute', async () => {
  const site = someSite()
  const { body: made } = await fixture.call('createAccount', site, { body })
  const { accountId, externalAccountId } = made.account
  fixture.onWebhook(async () => 200)
  await fixture.control(`accounts/${externalAccountId}/complete`)
  await eventually(() =>
    expect(fixture.webhooks.some(({ body: raw }) => raw.includes(externalAccountId ?? '?'))).toBe(true),
  )
  const read = () => fixture.call('getAccount', site, { params: { AccountId: accountId } })
  expect((await read()).body.status).toBe('None')
  await fixture.pool.query(`update accounts set checked_at = now() - interval '61 seconds' where id = $1`, [accountId])
  expect((await read()).body.status).toBe('Active')
})
