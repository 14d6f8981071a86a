import { readKeyRing } from '@frontdesk/service/encryption'
import { settleKey, type IdempotentRequest } from '@frontdesk/service/idempotency'
import { eventually } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newKey, openAccountsFixture, someSite, type AccountsFixture } from './accounts-fixture.ts'

let fixture: AccountsFixture
beforeAll(async () => {
  fixture = await openAccountsFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const body = { paymentProvider: 'Sandbox' }
const accountsMade = () =>
  fixture.network.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/accounts').length

async function statusInDatabase(accountId: string): Promise<string> {
  const result = await fixture.pool.query<{ status: string }>('select status from accounts where id = $1', [accountId])
  return result.rows[0]?.status ?? 'gone'
}

test('a new account comes with an onboarding session and our own link, and is Active once onboarding is complete', async () => {
  const site = someSite()
  const created = await fixture.call('createAccount', site, { body })
  expect(created).toMatchObject({
    status: 201,
    body: {
      account: { paymentProvider: 'Sandbox', status: 'None', externalAccountId: expect.stringMatching(/^acct_/) },
      onboardingSession: { session: expect.any(String), expiresAt: expect.any(String) },
      onboardingLink: { url: expect.stringContaining(`${fixture.url('gateway')}/onboarding/`) },
    },
  })
  expect(created.headers.get('cache-control')).toBe('no-store')
  const { accountId, externalAccountId } = created.body.account
  await fixture.control(`accounts/${externalAccountId}/complete`)
  await eventually(async () => expect(await statusInDatabase(accountId)).toBe('Active'))
  const got = await fixture.call('getAccount', site, { params: { AccountId: accountId } })
  expect(got).toMatchObject({ status: 200, body: { ...created.body.account, status: 'Active' } })
  expect(await fixture.eventsOf(accountId)).toEqual(['account.created', 'account.status_changed', 'account.updated'])
})

/** Reads an account at the sandbox, as the platform sees it. */
async function atProvider(externalAccountId: string | undefined): Promise<Record<string, unknown>> {
  const reply = await fetch(`${fixture.url('sandbox-provider')}/v1/accounts/${externalAccountId}`, {
    headers: { authorization: 'Bearer sk_test_sandbox' },
  })
  return (await reply.json()) as Record<string, unknown>
}

test('the account is made in the country of its site, with its currency, e-mail address and phone number', async () => {
  const contact = { emailAddress: 'desk@smile.example', phoneNumber: '+442071234567' }
  const site = { ...someSite(), country: 'GB', currency: 'GBP', ...contact }
  const { body: made } = await fixture.call('createAccount', site, { body })
  expect(await atProvider(made.account.externalAccountId)).toMatchObject({
    country: 'GB',
    default_currency: 'gbp',
    email: contact.emailAddress,
    business_profile: { name: site.name, support_phone: contact.phoneNumber },
  })
})

test('of a site without a country the provider chooses both country and currency', async () => {
  const { country: _, ...site } = someSite()
  const { body: made } = await fixture.call('createAccount', site, { body })
  expect(await atProvider(made.account.externalAccountId)).toMatchObject({ country: 'US', default_currency: 'usd' })
})

test('a second creation answers 200 with the same account and a new session', async () => {
  const site = someSite()
  const first = await fixture.call('createAccount', site, { body })
  const second = await fixture.call('createAccount', site, { body })
  expect([first.status, second.status]).toEqual([201, 200])
  expect(second.body.account).toEqual(first.body.account)
  expect(second.body.onboardingSession.session).not.toBe(first.body.onboardingSession.session)
  const list = await fixture.call('listAccounts', site)
  expect(list.body).toEqual([first.body.account])
})

test('simultaneous creations make one account, here and at the provider', async () => {
  const site = someSite()
  const answers = await Promise.all(Array.from({ length: 6 }, () => fixture.call('createAccount', site, { body })))
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 201])
  expect(new Set(answers.map((answer) => answer.body.account.externalAccountId)).size).toBe(1)
  const list = await fixture.call('listAccounts', site)
  expect(list.body).toHaveLength(1)
})

test('a repeated Idempotency-Key gets the stored reply while its onboarding session and link are valid', async () => {
  const site = someSite()
  const key = newKey()
  const first = await fixture.call('createAccount', site, { body, key })
  const made = accountsMade()
  const replay = await fixture.call('createAccount', site, { body, key })
  expect(replay.status).toBe(201)
  expect(replay.headers.get('idempotency-replayed')).toBe('true')
  expect(replay.body).toEqual(first.body)
  expect(accountsMade()).toBe(made)
})

test('once the stored session and link have expired, a repeated key gets the same account with new ones', async () => {
  const site = someSite()
  const key = newKey()
  const { body: first } = await fixture.call('createAccount', site, { body, key })
  const made = accountsMade()
  // The stored reply says when its session expired.
  const past = new Date(Date.now() - 1_000).toISOString()
  const ring = readKeyRing(fixture.credentials.encryptionKeysFile('accounts'))
  const { rows } = await fixture.pool.query<IdempotentRequest>(
    'select client, operation, path, key, fingerprint from idempotency_keys where key = $1',
    [key],
  )
  const stored = { ...first, onboardingSession: { ...first.onboardingSession, expiresAt: past } }
  await settleKey(fixture.pool, ring, rows[0]!, { status: 201, headers: {}, body: stored })

  const again = await fixture.call('createAccount', site, { body, key })
  expect(again.status).toBe(200)
  expect(again.headers.get('idempotency-replayed')).toBeNull()
  expect(again.body.account).toEqual(first.account)
  expect(again.body.onboardingSession.session).not.toBe(first.onboardingSession.session)
  expect(Date.parse(again.body.onboardingSession.expiresAt)).toBeGreaterThan(Date.now())
  expect(accountsMade()).toBe(made)
})

test('a provider that is not configured is refused with 422 and the configured ones, an unknown provider with 400', async () => {
  const site = someSite()
  const stripe = await fixture.call('createAccount', site, { body: { paymentProvider: 'Stripe' } })
  expect(stripe).toMatchObject({ status: 422, body: { code: 'provider_not_available', enabled: ['Sandbox'] } })
  const unknown = await fixture.call('createAccount', site, { body: { paymentProvider: 'Abacus' } })
  expect(unknown).toMatchObject({
    status: 400,
    body: { code: 'malformed_request', errors: [{ pointer: '/paymentProvider' }] },
  })
})

test("another site's account and an unknown account are both 404", async () => {
  const { body: made } = await fixture.call('createAccount', someSite(), { body })
  for (const AccountId of [made.account.accountId, newKey()]) {
    const answer = await fixture.call('getAccount', someSite(), { params: { AccountId } })
    expect(answer).toMatchObject({ status: 404, body: { code: 'account_not_found' } })
  }
})

test('each visit to a valid onboarding address gets a new page of the provider', async () => {
  const { body: made } = await fixture.call('createAccount', someSite(), { body })
  const Token = String(made.onboardingLink.url).split('/').at(-1) ?? ''
  const visit = (token: string) => fixture.internal('gateway').call('mintOnboardingLink', { Token: token })
  const [first, second] = [await visit(Token), await visit(Token)]
  expect(first.url).toContain(fixture.url('sandbox-provider'))
  expect(second.url).not.toBe(first.url)
  expect((await fetch(second.url)).status).toBe(200)
  await expect(visit(`${Token}x`)).rejects.toMatchObject({ code: 'onboarding_link_invalid' })
})

test('onboarding leads back to the software of the practice, however it ends and however often its link is opened', async () => {
  const returnUrl = 'https://pms.example/settings?tab=payments'
  const { body: made } = await fixture.call('createAccount', someSite(), { body: { ...body, returnUrl } })
  const Token = String(made.onboardingLink.url).split('/').at(-1) ?? ''
  const gateway = fixture.internal('gateway')
  const visit = async () => (await gateway.call('mintOnboardingLink', { Token })).url
  const told = () => gateway.call('getOnboarding', { Token })
  const end = `${made.onboardingLink.url}/done`
  expect(await visit()).toContain(fixture.url('sandbox-provider'))
  expect(await told()).toMatchObject({ status: 'None', returnUrl })

  // The provider's page sends its visitor to our page, which asks for the newest state.
  const page = new URL((await fetch(await visit())).url)
  const left = await fetch(page, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ intent: 'later' }) })
  expect(left.headers.get('location')).toBe(end)
  for (const [action, status] of [
    ['restrict', 'Restricted'],
    ['complete', 'Active'],
    ['reject', 'Rejected'],
  ] as const) {
    await fixture.control(`accounts/${made.account.externalAccountId}/${action}`)
    await eventually(async () => expect(await told()).toMatchObject({ status, returnUrl }))
    // A restricted account has something to do. The others would see a form that asks for nothing.
    if (status === 'Restricted') expect(await visit()).toContain(fixture.url('sandbox-provider'))
    else expect(await visit()).toBe(end)
  }
  await expect(gateway.call('getOnboarding', { Token: `${Token}x` })).rejects.toMatchObject({
    code: 'onboarding_link_invalid',
  })
})

test('an account follows the provider to Restricted, Rejected and cut off', async () => {
  for (const [action, status] of [
    ['restrict', 'Restricted'],
    ['reject', 'Rejected'],
    ['deauthorize', 'Disabled'],
  ] as const) {
    const { body: made } = await fixture.call('createAccount', someSite(), { body })
    await fixture.control(`accounts/${made.account.externalAccountId}/complete`)
    await eventually(async () => expect(await statusInDatabase(made.account.accountId)).toBe('Active'))
    await fixture.control(`accounts/${made.account.externalAccountId}/${action}`)
    await eventually(async () => expect(await statusInDatabase(made.account.accountId)).toBe(status))
  }
})

test('payments gets the state of an account', async () => {
  const site = someSite()
  const ask = () => fixture.internal('payments').call('getAccountState', { SiteSlug: site.slug, Provider: 'Sandbox' })
  await expect(ask()).rejects.toMatchObject({ code: 'account_not_found' })
  const { body: made } = await fixture.call('createAccount', site, { body })
  expect(await ask()).toMatchObject({ accountId: made.account.accountId, status: 'None', version: 1 })
})
