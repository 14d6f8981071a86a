import { auditedActs, eventually, withoutAuditEntries } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccountsFixture, someSite, type AccountsFixture } from './accounts-fixture.ts'

let fixture: AccountsFixture
beforeAll(async () => {
  fixture = await openAccountsFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const body = { paymentProvider: 'Sandbox' }

async function readyAccount(site = someSite()) {
  const { body: made } = await fixture.call('createAccount', site, { body })
  await fixture.control(`accounts/${made.account.externalAccountId}/complete`)
  await eventually(async () => {
    const got = await fixture.call('getAccount', site, { params: { AccountId: made.account.accountId } })
    expect(got.body.status).toBe('Active')
  })
  return { site, account: made.account, params: { AccountId: made.account.accountId } }
}

test('an account is not deleted while payments is unreachable, nor while it has open payments', async () => {
  const { site, account, params } = await readyAccount()
  const unreachable = await fixture.call('deleteAccount', site, { params })
  expect(unreachable).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  expect(unreachable.headers.get('retry-after')).toBeTruthy()

  await fixture.spawn('payments', fixture.env('payments'))
  const payment = await fixture.call('createPayment', site, {
    body: { PaymentProvider: 'Sandbox', Currency: 'EUR', LineItems: [{ Price: 5_000, ProductName: 'Check-up' }] },
  })
  expect(payment.status).toBe(201)
  const refused = await fixture.call('deleteAccount', site, { params })
  expect(refused).toMatchObject({ status: 422, body: { code: 'account_has_open_payments' } })

  const cancelled = await fixture.call('cancelPayment', site, { params: { PaymentIdentifier: payment.body.RecordId } })
  expect(cancelled.status).toBe(200)
  const deleted = await fixture.call('deleteAccount', site, { params })
  expect(deleted).toMatchObject({ status: 200, body: { ...account, status: 'Active' } })
})

test('a deleted account is gone from the API and from the provider, and a new creation makes another account', async () => {
  const { site, account, params } = await readyAccount()
  expect((await fixture.call('deleteAccount', site, { params })).status).toBe(200)
  expect((await fixture.call('getAccount', site, { params })).status).toBe(404)
  expect((await fixture.call('deleteAccount', site, { params })).status).toBe(404)
  expect((await fixture.call('listAccounts', site)).body).toEqual([])
  expect(await fixture.eventsOf(account.accountId)).toEqual([
    'account.created',
    'account.status_changed',
    'account.updated',
    'account.deleted',
  ])
  const again = await fixture.call('createAccount', site, { body })
  expect(again.status).toBe(201)
  expect(again.body.account.accountId).not.toBe(account.accountId)
  expect(again.body.account.externalAccountId).not.toBe(account.externalAccountId)
})

test("a deleted site's account is closed at once, and deleted at the provider a day later", async () => {
  const { site, account } = await readyAccount()
  const deletions = () =>
    fixture.network.requests.filter(
      ({ method, path }) => method === 'DELETE' && path.endsWith(account.externalAccountId ?? '?'),
    )
  await fixture.deleteSite(site)
  await eventually(async () => expect((await fixture.call('listAccounts', site)).body).toEqual([]))
  expect(await fixture.eventsOf(account.accountId)).toEqual([
    'account.created',
    'account.status_changed',
    'account.updated',
    'account.deleted',
  ])
  expect(deletions()).toEqual([])
  const due = await fixture.pool.query<{ hours: number }>(
    'select extract(epoch from provider_deletion_due_at - now())::float8 / 3600 as hours from accounts where id = $1',
    [account.accountId],
  )
  expect(due.rows[0]?.hours).toBeCloseTo(24, 1)
  // The account of a site that is gone is not made again.
  expect(await fixture.call('createAccount', site, { body })).toMatchObject({
    status: 404,
    body: { code: 'site_not_found' },
  })

  await fixture.pool.query('update accounts set provider_deletion_due_at = now() where id = $1', [account.accountId])
  await eventually(
    async () => {
      const result = await fixture.pool.query(
        'select provider_deletion_due_at as due, provider_deletion_note as note from accounts where id = $1',
        [account.accountId],
      )
      expect(result.rows).toEqual([{ due: null, note: 'deleted' }])
    },
    { within: 40_000 },
  )
  expect(deletions()).toHaveLength(1)
}, 60_000)

test("a deleted site's account waits at the provider for a debit that is under way, and goes when it has ended", async () => {
  const { site, account } = await readyAccount()
  fixture.onWebhook(async ({ for: service, body: bytes, signature }) => {
    const id = service === 'accounts' ? 'receiveAccountWebhook' : 'receivePaymentWebhook'
    const headers = { 'stripe-signature': signature }
    await fixture.internal('gateway').call(id, { Provider: 'Sandbox' }, { bytes, headers })
    return 200
  })
  const { body: payment } = await fixture.call('createPayment', site, {
    body: { PaymentProvider: 'Sandbox', Currency: 'EUR', LineItems: [{ Price: 5_000, ProductName: 'Check-up' }] },
  })
  const statusIs = (status: string) =>
    eventually(async () => {
      const got = await fixture.call('getPayment', site, { params: { PaymentIdentifier: payment.RecordId } })
      expect(got.body.History.at(-1)?.Status).toBe(status)
    })
  await fixture.control(`checkouts/${payment.PaymentId}/delay`)
  await statusIs('Processing')
  await fixture.deleteSite(site)
  const deletion = async () => {
    const { rows } = await fixture.pool.query<{ due: boolean | null; tries: number; note: string | null }>(
      `select provider_deletion_due_at <= now() as due, provider_deletion_tries as tries, provider_deletion_note as note
         from accounts where id = $1`,
      [account.accountId],
    )
    return rows[0]
  }
  const becomesDue = () =>
    fixture.pool.query('update accounts set provider_deletion_due_at = now() where id = $1', [account.accountId])
  const deletions = () =>
    fixture.network.requests.filter(
      ({ method, path }) => method === 'DELETE' && path.endsWith(account.externalAccountId ?? '?'),
    )
  await eventually(async () => expect(await deletion()).toMatchObject({ due: false }))
  await becomesDue()
  await eventually(async () => expect(await deletion()).toEqual({ due: false, tries: 1, note: null }), {
    within: 40_000,
  })
  expect(deletions()).toEqual([])

  await fixture.control(`checkouts/${payment.PaymentId}/settle`)
  await statusIs('Completed')
  await becomesDue()
  await eventually(async () => expect(await deletion()).toMatchObject({ due: null, note: 'deleted' }), {
    within: 40_000,
  })
  expect(deletions()).toHaveLength(1)
}, 120_000)

test('an account, each visit of its link and its deletion leave audit entries, and none happens without its entry', async () => {
  const site = someSite()
  const created = await fixture.call('createAccount', site, { body })
  const { accountId } = created.body.account
  const Token = created.body.onboardingLink.url.split('/').at(-1) ?? ''
  const headers = { 'x-client-address': '192.0.2.7' }
  const visit = () => fixture.internal('gateway').call('mintOnboardingLink', { Token }, { headers })
  await visit()
  const remove = () => fixture.call('deleteAccount', site, { params: { AccountId: accountId } })
  await withoutAuditEntries(fixture.pool, async () => {
    expect((await fixture.call('createAccount', someSite(), { body })).status).toBe(500)
    await expect(visit()).rejects.toThrow()
  })
  const { rows } = await fixture.pool.query('select id, deleted_at from accounts where site_slug = $1', [site.slug])
  expect(rows).toEqual([{ id: accountId, deleted_at: null }])
  await remove()
  expect(await auditedActs(fixture.pool, { site: site.slug })).toEqual([
    'createAccount Succeeded',
    'mintOnboardingLink Succeeded',
    'deleteAccount Succeeded',
  ])
  const visits = await fixture.pool.query(
    `select principal, client_address, targets from audit_entries where operation = 'mintOnboardingLink' and site_slug = $1`,
    [site.slug],
  )
  expect(visits.rows).toEqual([
    { principal: 'visitor', client_address: '192.0.2.7', targets: [`account:${accountId}`] },
  ])
})
