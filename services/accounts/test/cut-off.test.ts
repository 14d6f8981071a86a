import { eventually } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccountsFixture, someSite, type AccountsFixture } from './accounts-fixture.ts'

let fixture: AccountsFixture
beforeAll(async () => {
  fixture = await openAccountsFixture()
  await fixture.spawn('payments', fixture.env('payments'))
})
afterAll(() => fixture[Symbol.asyncDispose]())

const body = { paymentProvider: 'Sandbox' }

/** Opens an account that can take payments, and makes a payment that stays open. */
async function siteWithOpenPayment() {
  const site = someSite()
  const { account } = (await fixture.call('createAccount', site, { body })).body
  await fixture.control(`accounts/${account.externalAccountId}/complete`)
  const params = { AccountId: account.accountId }
  await eventually(async () => expect((await fixture.call('getAccount', site, { params })).body.status).toBe('Active'))
  const lineItems = [{ Price: 5_000, ProductName: 'Check-up' }]
  const payment = await fixture.call('createPayment', site, {
    body: { PaymentProvider: 'Sandbox', Currency: 'EUR', LineItems: lineItems },
  })
  expect(payment.status).toBe(201)
  return { site, account, params, payment: payment.body }
}

async function disabled(site: ReturnType<typeof someSite>, params: { AccountId: string }): Promise<void> {
  await eventually(async () =>
    expect((await fixture.call('getAccount', site, { params })).body.status).toBe('Disabled'),
  )
}

test('after a disconnect with a payment open, a new creation opens another account; the payment keeps the old one', async () => {
  const { site, account, params, payment } = await siteWithOpenPayment()
  await fixture.control(`accounts/${account.externalAccountId}/deauthorize`)
  await disabled(site, params)

  // Simultaneous ones open one.
  const answers = await Promise.all([1, 2, 3].map(() => fixture.call('createAccount', site, { body })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201])
  expect(new Set(answers.map((answer) => answer.body.account.accountId)).size).toBe(1)
  const again = answers.find(({ status }) => status === 201) ?? answers[0]
  if (again === undefined) throw new Error('no answer')
  expect(again.body.account).toMatchObject({ status: 'None', externalAccountId: expect.stringMatching(/^acct_/) })
  expect(again.body.account.accountId).not.toBe(account.accountId)
  expect(again.body.account.externalAccountId).not.toBe(account.externalAccountId)
  expect((await fixture.call('listAccounts', site)).body).toEqual([again.body.account])
  expect((await fixture.eventsOf(account.accountId)).at(-1)).toBe('account.deleted')
  const { body: kept } = await fixture.call('getPayment', site, { params: { PaymentIdentifier: payment.RecordId } })
  expect(kept.RecordId).toBe(payment.RecordId)
})

test('after a disconnect with a payment open, the account can be deleted', async () => {
  const { site, account, params } = await siteWithOpenPayment()
  await fixture.control(`accounts/${account.externalAccountId}/deauthorize`)
  expect(await fixture.call('deleteAccount', site, { params })).toMatchObject({
    status: 200,
    body: { status: 'Disabled' },
  })
  expect((await fixture.call('listAccounts', site)).body).toEqual([])
})

test('a disconnect that nobody has told us of is noticed by the creation itself', async () => {
  const { site, account } = await siteWithOpenPayment()
  fixture.onWebhook(async () => 200)
  await fixture.control(`accounts/${account.externalAccountId}/deauthorize`)
  const again = await fixture.call('createAccount', site, { body })
  expect(again.status).toBe(201)
  expect(again.body.account.externalAccountId).not.toBe(account.externalAccountId)
})

test('while the provider does not say whether it has cut the account off, a creation is 503: the next one opens another account', async () => {
  fixture.onWebhook((webhook) => fixture.pass(webhook).then(() => 200))
  const { site, account } = await siteWithOpenPayment()
  fixture.onWebhook(async () => 200)
  await fixture.control(`accounts/${account.externalAccountId}/deauthorize`)
  fixture.network.inject(({ method }) => (method === 'GET' ? 'lose request' : 'none'))
  try {
    expect(await fixture.call('createAccount', site, { body })).toMatchObject({
      status: 503,
      body: { code: 'provider_unavailable' },
    })
  } finally {
    fixture.network.inject(undefined)
  }
  const again = await fixture.call('createAccount', site, { body })
  expect(again.status).toBe(201)
  expect(again.body.account.externalAccountId).not.toBe(account.externalAccountId)
})
