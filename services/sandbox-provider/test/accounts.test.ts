import { randomUUID } from 'node:crypto'
import { openPool, type Pool } from '@frontdesk/database'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostedSession, lineItem, makeAccount, refusal, runSandbox, type RunningSandbox } from './running-sandbox.ts'

let sandbox: RunningSandbox
let pool: Pool

beforeAll(async () => {
  sandbox = await runSandbox()
  pool = openPool({ url: sandbox.databaseUrl, name: 'test', size: 1 })
})
afterAll(async () => {
  await pool.end()
  await sandbox[Symbol.asyncDispose]()
})

const refreshUrl = 'https://platform.example/refresh'
const returnUrl = 'https://platform.example/done'

const makeLink = (account: string) =>
  sandbox.stripe.accountLinks.create({
    account,
    type: 'account_onboarding',
    refresh_url: refreshUrl,
    return_url: returnUrl,
    collection_options: { fields: 'eventually_due' },
  })
/** Opens a link of the account, and returns the address of the setup. */
const openSetup = async (account: string) =>
  new URL((await visit((await makeLink(account)).url)).headers.get('location') ?? '', sandbox.url).toString()
const visit = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init })
const submit = (url: string, fields: Record<string, string>) =>
  visit(url, { method: 'POST', body: new URLSearchParams(fields) })

test('a new account cannot charge before its onboarding', async () => {
  const account = await sandbox.stripe.accounts.retrieve(await makeAccount(sandbox, { onboarded: false }))
  expect(account).toMatchObject({
    object: 'account',
    charges_enabled: false,
    payouts_enabled: false,
    details_submitted: false,
    country: 'NZ',
    default_currency: 'nzd',
    business_profile: { name: 'Harbour Street Dental' },
    capabilities: { card_payments: 'inactive', transfers: 'inactive' },
    controller: { fees: { payer: 'application' }, stripe_dashboard: { type: 'express' } },
    settings: { card_payments: { statement_descriptor_prefix: 'HARBOUR ST' } },
  })
  expect(account.requirements?.currently_due).not.toEqual([])
})

test('an account without a country has the country of the platform', async () => {
  const account = await sandbox.stripe.accounts.create({})
  expect(account).toMatchObject({ country: 'US', default_currency: 'usd', email: null })
})

test('a country brings its currency, and another currency only if accounts there can have it', async () => {
  const currencyOf = async (params: Stripe.AccountCreateParams) =>
    (await sandbox.stripe.accounts.create(params)).default_currency
  expect(await currencyOf({ country: 'AU' })).toBe('aud')
  expect(await currencyOf({ country: 'IE' })).toBe('eur')
  expect(await currencyOf({ country: 'GB', default_currency: 'EUR' })).toBe('eur')
  for (const params of [
    { default_currency: 'gbp' },
    { country: 'US', default_currency: 'aud' },
    { country: 'AU', default_currency: 'nzd' },
  ]) {
    const error = await refusal(sandbox.stripe.accounts.create(params))
    expect(error).toMatchObject({ statusCode: 400, param: 'default_currency' })
    expect(error.message).toContain(`Accounts in ${params.country ?? 'US'} can have`)
  }
  const unsupported = await refusal(sandbox.stripe.accounts.create({ country: 'CU' }))
  expect(unsupported).toMatchObject({ statusCode: 400, code: 'country_unsupported', param: 'country' })
})

test('the country of an account cannot be changed, its currency only within the country', async () => {
  const id = await makeAccount(sandbox, { country: 'GB', default_currency: 'gbp' })
  const update = (params: object) => sandbox.stripe.accounts.update(id, params)
  expect(await refusal(update({ country: 'AU' }))).toMatchObject({ code: 'parameter_unknown', param: 'country' })
  expect(await refusal(update({ default_currency: 'aud' }))).toMatchObject({ param: 'default_currency' })
  expect(await update({ default_currency: 'eur' })).toMatchObject({ country: 'GB', default_currency: 'eur' })
  expect(await sandbox.stripe.accounts.retrieve(id)).toMatchObject({ country: 'GB', default_currency: 'eur' })
})

test('as in live mode, an account with a balance is not deleted until it was paid out', async () => {
  const id = await makeAccount(sandbox)
  const options = { stripeAccount: id }
  const balance = async () => (await sandbox.stripe.balance.retrieve({}, options)).available
  const session = await sandbox.stripe.checkout.sessions.create(hostedSession(), options)
  await sandbox.control(`checkouts/${session.id}/pay`)
  expect(await balance()).toMatchObject([{ currency: 'nzd', amount: 24_750 }])
  await sandbox.setFaults({ rules: { deletionNeedsZeroBalance: true } })
  expect(await refusal(sandbox.stripe.accounts.del(id))).toMatchObject({
    statusCode: 400,
    message: `The account ${id} cannot be deleted: its balance must be zero.`,
  })
  expect((await sandbox.control(`accounts/${id}/pay-out`)).status).toBe(204)
  expect(await balance()).toMatchObject([{ amount: 0 }])
  await sandbox.control(`checkouts/${session.id}/refund?amount=1000`)
  expect(await balance()).toMatchObject([{ amount: -1_000 }])
  expect(await refusal(sandbox.stripe.accounts.del(id))).toMatchObject({ statusCode: 400 })
  await sandbox.setFaults({})
  expect(await sandbox.stripe.accounts.del(id)).toMatchObject({ deleted: true })
})

test('a balance has the fee returned with a refund, and no disputed money', async () => {
  const id = await makeAccount(sandbox)
  const options = { stripeAccount: id }
  const amount = async () => (await sandbox.stripe.balance.retrieve({}, options)).available[0]?.amount
  const kept = async () =>
    (await sandbox.stripe.balance.retrieve()).available.find(({ currency }) => currency === 'nzd')?.amount ?? 0
  const before = await kept()
  const session = await sandbox.stripe.checkout.sessions.create(hostedSession(), options)
  await sandbox.control(`checkouts/${session.id}/pay`)
  const [paid] = (await sandbox.stripe.checkout.sessions.list({}, options)).data
  const payment = paid?.payment_intent as string
  await sandbox.stripe.refunds.create(
    { payment_intent: payment, amount: 12_500, refund_application_fee: true },
    options,
  )
  expect(await amount()).toBe(12_375)
  expect((await kept()) - before).toBe(125)
  await sandbox.control(`checkouts/${session.id}/dispute`)
  expect(await amount()).toBe(-125)
  await sandbox.control(`checkouts/${session.id}/win-dispute`)
  expect(await amount()).toBe(12_375)
})

test('an account is created once for each key', async () => {
  const idempotencyKey = randomUUID()
  const first = await sandbox.stripe.accounts.create({ country: 'NZ' }, { idempotencyKey })
  const second = await sandbox.stripe.accounts.create({ country: 'NZ' }, { idempotencyKey })
  expect(second.id).toBe(first.id)
})

test('completed, restricted and rejected accounts have the members of Stripe that tell them apart', async () => {
  const id = await makeAccount(sandbox, { onboarded: false })
  const facts = async () => {
    const account = await sandbox.stripe.accounts.retrieve(id)
    const { charges_enabled, payouts_enabled, details_submitted, requirements } = account
    return [charges_enabled, payouts_enabled, details_submitted, requirements?.disabled_reason]
  }
  await sandbox.control(`accounts/${id}/complete`)
  expect(await facts()).toEqual([true, true, true, null])
  await sandbox.control(`accounts/${id}/restrict`)
  expect(await facts()).toEqual([true, false, true, 'requirements.past_due'])
  await sandbox.control(`accounts/${id}/reject`)
  expect(await facts()).toEqual([false, false, true, 'rejected.other'])
})

const refused: Array<[string, object, { code?: string; param?: string; message?: RegExp }]> = [
  [
    'type together with controller',
    { type: 'express', controller: { fees: { payer: 'application' } } },
    { param: 'type' },
  ],
  [
    'losses paid by the platform without fees paid by it',
    { controller: { losses: { payments: 'application' }, fees: { payer: 'account' } } },
    { param: 'controller[fees][payer]' },
  ],
  [
    'card payments without transfers',
    { capabilities: { card_payments: { requested: true } } },
    { param: 'capabilities' },
  ],
  ['the name of a country', { country: 'New Zealand' }, { param: 'country' }],
  ['an invalid email address', { email: 'front' }, { code: 'email_invalid' }],
  [
    'an invalid phone number',
    { business_profile: { support_phone: 'call us' } },
    { param: 'business_profile[support_phone]' },
  ],
  ['an invalid website', { business_profile: { url: 'harbour' } }, { code: 'url_invalid' }],
  [
    'a prefix of eleven characters',
    { settings: { card_payments: { statement_descriptor_prefix: 'HARBOUR STR' } } },
    { param: 'settings[card_payments][statement_descriptor_prefix]' },
  ],
  [
    'a descriptor with an asterisk',
    { settings: { payments: { statement_descriptor: 'HARBOUR*' } } },
    { message: /characters/ },
  ],
  ['an unknown parameter', { nickname: 'x' }, { code: 'parameter_unknown', param: 'nickname' }],
]

test.each(refused)('%s is refused on an account', async (_fault, params, expected) => {
  const error = await refusal(sandbox.stripe.accounts.create(params))
  expect(error.statusCode).toBe(400)
  expect(error).toMatchObject({
    ...(expected.code !== undefined && { code: expected.code }),
    ...(expected.param !== undefined && { param: expected.param }),
  })
  if (expected.message !== undefined) expect(error.message).toMatch(expected.message)
})

test('an update changes the given members and keeps the others', async () => {
  const id = await makeAccount(sandbox)
  const updated = await sandbox.stripe.accounts.update(id, {
    business_profile: { name: 'Harbour Dental' },
    metadata: { siteSlug: 's123' },
  })
  expect(updated).toMatchObject({
    charges_enabled: true,
    business_profile: { name: 'Harbour Dental', support_phone: '+64 9 555 0100' },
    metadata: { siteSlug: 's123' },
  })
})

test('a deleted account is gone, also for calls with Stripe-Account', async () => {
  const id = await makeAccount(sandbox)
  expect(await sandbox.stripe.accounts.del(id)).toMatchObject({ id, deleted: true })
  for (const call of [
    () => sandbox.stripe.accounts.retrieve(id),
    () => sandbox.stripe.accounts.del(id),
    () => sandbox.stripe.checkout.sessions.retrieve('cs_test_x', {}, { stripeAccount: id }),
  ]) {
    expect(await refusal(call())).toMatchObject({ statusCode: 403, code: 'account_invalid' })
  }
  expect((await sandbox.control(`accounts/${id}/complete`)).status).toBe(404)
})

test('the platform cannot reach the account of a practice that has disconnected', async () => {
  const id = await makeAccount(sandbox)
  expect((await sandbox.control(`accounts/${id}/deauthorize`)).status).toBe(204)
  expect(await refusal(sandbox.stripe.accounts.retrieve(id))).toMatchObject({ code: 'account_invalid' })
  expect((await sandbox.control(`accounts/${id}/complete`)).status).toBe(409)
})

test('an account session has the requested components', async () => {
  const account = await makeAccount(sandbox, { onboarded: false })
  const session = await sandbox.stripe.accountSessions.create({
    account,
    components: {
      account_onboarding: { enabled: true },
      payments: { enabled: true },
      notification_banner: { enabled: true },
    },
  })
  expect(session.client_secret).toMatch(/^accs_secret__/)
  expect(Object.keys(session.components).toSorted()).toEqual(['account_onboarding', 'notification_banner', 'payments'])
  expect(session.expires_at * 1000).toBeGreaterThan(Date.now())
  const nobody = sandbox.stripe.accountSessions.create({
    account: 'acct_1nobody',
    components: { payments: { enabled: true } },
  })
  expect(await refusal(nobody)).toMatchObject({ code: 'resource_missing', param: 'account' })
})

test('a link for an update is refused if Stripe collects the requirements', async () => {
  const account = await makeAccount(sandbox)
  const params: Stripe.AccountLinkCreateParams = {
    account,
    type: 'account_update',
    refresh_url: refreshUrl,
    return_url: returnUrl,
  }
  expect(await refusal(sandbox.stripe.accountLinks.create(params))).toMatchObject({ param: 'type' })
})

test('a link works once: its first visit opens the setup, later visits redirect to the refresh_url', async () => {
  const link = await makeLink(await makeAccount(sandbox, { onboarded: false }))
  expect(link.expires_at - link.created).toBe(300)
  const first = await visit(link.url)
  expect(first.status).toBe(303)
  expect(first.headers.get('location')).toMatch(/^\/o\/setup\//)
  const again = await visit(link.url)
  expect([again.status, again.headers.get('location')]).toEqual([303, refreshUrl])
})

test('an expired link redirects to the refresh_url', async () => {
  const link = await makeLink(await makeAccount(sandbox, { onboarded: false }))
  await pool.query(`update account_links set expires_at = now() - interval '1 second' where token = $1`, [
    link.url.split('/').at(-1),
  ])
  expect((await visit(link.url)).headers.get('location')).toBe(refreshUrl)
  expect((await visit(`${sandbox.url}/o/nothing`)).status).toBe(404)
})

test.each([
  ['AU', 'aud', 'Australia', 'Pay $250.00 to'],
  ['GB', 'gbp', 'United Kingdom', 'Pay £250.00 to'],
  ['US', 'usd', 'United States', 'Pay $250.00 to'],
  ['DE', 'eur', 'Germany', 'Pay €250.00 to'],
])(
  'the pages of a practice in %s show its country, and its currency %s as its own',
  async (country, currency, name, title) => {
    const inEnglish = { headers: { 'accept-language': 'en' } }
    const newcomer = await makeAccount(sandbox, { country, default_currency: currency, onboarded: false })
    const setup = await (await visit(await openSetup(newcomer), inEnglish)).text()
    expect(setup).toContain(`<dd>${name}</dd>`)
    expect(setup).toContain(`<dd>${currency.toUpperCase()}</dd>`)
    const account = await makeAccount(sandbox, { country, default_currency: currency })
    const session = await sandbox.stripe.checkout.sessions.create(
      hostedSession({ line_items: [lineItem('Check-up', 25_000, 1, currency)] }),
      { stripeAccount: account },
    )
    const page = await (await visit(session.url ?? '', inEnglish)).text()
    expect(page).toContain(title)
    expect(page).not.toContain('A$')
  },
)

test('a practice that confirms its details can charge, and returns to the platform', async () => {
  const id = await makeAccount(sandbox, { onboarded: false })
  const setup = await openSetup(id)
  expect(await (await visit(setup)).text()).toContain('Set up payments for Harbour Street Dental')

  const incomplete = await submit(setup, { name: '', phone: 'call us', website: 'harbour', intent: 'complete' })
  expect(incomplete.status).toBe(422)
  const page = await incomplete.text()
  for (const name of ['name', 'phone', 'website', 'confirmed'])
    expect(page).toContain(`aria-describedby="${name}-error"`)

  const done = await submit(setup, {
    name: 'Harbour Dental',
    phone: '+64 9 555 0199',
    website: 'https://harbour.example',
    confirmed: 'yes',
    intent: 'complete',
  })
  expect([done.status, done.headers.get('location')]).toEqual([303, returnUrl])
  expect(await sandbox.stripe.accounts.retrieve(id)).toMatchObject({
    charges_enabled: true,
    business_profile: { name: 'Harbour Dental', support_phone: '+64 9 555 0199', url: 'https://harbour.example' },
  })
})

test('a practice that finishes later returns to the platform, and its account is unchanged', async () => {
  const id = await makeAccount(sandbox, { onboarded: false })
  const setup = new URL((await visit((await makeLink(id)).url)).headers.get('location') ?? '', sandbox.url).toString()
  expect((await submit(setup, { intent: 'later' })).headers.get('location')).toBe(returnUrl)
  expect(await sandbox.stripe.accounts.retrieve(id)).toMatchObject({ details_submitted: false })
})
