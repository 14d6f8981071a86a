import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import {
  enabledProvider,
  isUnreadable,
  openProviders,
  ProviderOutcomeUnknown,
  ProviderUnavailable,
  type Provider,
} from '../src/index.ts'
import { stripeConfig } from '../src/stripe/settings.ts'
import { json, openProviderServer, refund, refundPage, session, type Reply } from './provider-server.ts'

// An answer with status 200 that lacks what we need, or has a value that we do not know.

const key = { id: 'cs_1', providerAccountId: 'acct_1' }
const payment = { providerAccountId: 'acct_1', paymentIntentId: 'pi_1' }
const request = { providerAccountId: 'acct_1', idempotencyKey: 'key_1', params: {} }
const charge = { id: 'ch_1', amount_refunded: 500, disputed: true, created: 1_794_990_000 }
const paid = (changes: object = {}) =>
  session({
    status: 'complete',
    payment_status: 'paid',
    payment_intent: { id: 'pi_1', status: 'succeeded', latest_charge: { ...charge, ...changes } },
  })

const sessions: [string, Reply][] = [
  ['no currency', session({ currency: null })],
  ['an unknown currency', session({ currency: 'nameless' })],
  ['a currency whose unit is unknown', session({ currency: 'clf' })],
  ['no amount', session({ amount_total: null })],
  ['half an amount', session({ amount_total: 4_500.5 })],
  ['no id', session({ id: undefined })],
  ['no expiry', session({ expires_at: undefined })],
  ['an unknown status', session({ status: 'paused' })],
  ['an unknown payment status', session({ payment_status: 'partly_paid' })],
  ['a payment intent of an unknown status', session({ payment_intent: { id: 'pi_1', status: 'requires_luck' } })],
  ['nothing in it', json(200, {})],
  ['a list in its place', json(200, [])],
  ['null in its place', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('null')],
]

async function failureOf(replies: Reply[], run: (provider: Provider) => Promise<unknown>) {
  await using server = await openProviderServer()
  server.replies(...replies)
  await using provider = server.open()
  const [result] = await Promise.allSettled([run(provider)])
  if (result.status === 'fulfilled') throw new Error(`it was taken for ${JSON.stringify(result.value)}`)
  return { error: result.reason as unknown, requests: server.requests }
}

describe('the outcome of a call that may have had its effect is unknown', () => {
  test.each(sessions)('a new checkout with %s', async (_, reply) => {
    const { error } = await failureOf([reply], (provider) => provider.createCheckout(request))
    expect(error).toBeInstanceOf(ProviderOutcomeUnknown)
  })

  test.each<[string, Reply[], (provider: Provider) => Promise<unknown>]>([
    ['an expired checkout', [session({ currency: null })], (provider) => provider.expireCheckout(key)],
    [
      'a new refund',
      [json(200, refund('re_1', 500, { currency: 'nameless' }))],
      (provider) => provider.createRefund(request),
    ],
    ['a new refund', [json(200, { object: 'refund' })], (provider) => provider.createRefund(request)],
    ['a new account', [json(200, { id: 'acct_9' })], (provider) => provider.createAccount(request)],
  ])('%s', async (_, replies, run) => {
    const { error, requests } = await failureOf(replies, run)
    expect(error).toBeInstanceOf(ProviderOutcomeUnknown)
    expect(error).toSatisfy(isUnreadable)
    // A repetition would get the same answer.
    expect(requests).toHaveLength(1)
  })
})

describe('a read fails, to be tried again much later', () => {
  test.each(sessions)('a checkout with %s', async (_, reply) => {
    const { error } = await failureOf([reply], (provider) => provider.retrieveCheckout(key))
    expect(error).toBeInstanceOf(ProviderUnavailable)
  })

  test.each<[string, Reply[], (provider: Provider) => Promise<unknown>]>([
    [
      'refunds of a checkout',
      [paid({ disputed: false }), refundPage([refund('re_1', 1, { currency: null })])],
      (provider) => provider.retrieveCheckout(key),
    ],
    [
      'the dispute of a checkout',
      [paid({ amount_refunded: 0 }), json(200, { data: [{ id: 'du_1', status: 'won' }] })],
      (provider) => provider.retrieveCheckout(key),
    ],
    ['no list of refunds', [json(200, { object: 'list' })], (provider) => provider.listRefunds(payment)],
    [
      'a list of refunds without end',
      [refundPage([refund('re_1', 1)], true)],
      (provider) => provider.listRefunds(payment),
    ],
    [
      'no list of checkouts',
      [json(200, {})],
      (provider) => provider.listCheckouts('acct_1', { createdFrom: new Date(0) }),
    ],
    ['an account', [json(200, { id: 'acct_9' })], (provider) => provider.retrieveAccount('acct_9')],
    ['an account session', [json(200, { expires_at: 1 })], (provider) => provider.createAccountSession('acct_9')],
    [
      'an account link',
      [json(200, { url: 'https://connect.example' })],
      (provider) =>
        provider.createAccountLink('acct_9', { refreshUrl: 'https://a.example', returnUrl: 'https://b.example' }),
    ],
  ])('%s', async (_, replies, run) => {
    const { error } = await failureOf(replies, run)
    expect(error).toBeInstanceOf(ProviderUnavailable)
    expect(error).toSatisfy(isUnreadable)
    expect(error).toHaveProperty('retryAfterMs', 60_000)
  })
})

test('a page of checkouts names what it does not understand, and has all the others', async () => {
  await using server = await openProviderServer()
  const listed = (id: string, changes: object) => ({
    id,
    metadata: { recordId: `record of ${id}` },
    status: 'expired',
    payment_status: 'unpaid',
    currency: 'gbp',
    amount_total: 4_500,
    created: 1_794_990_000,
    expires_at: 1_795_000_000,
    ...changes,
  })
  const payment_intent = { id: 'pi_4', status: 'succeeded', latest_charge: { ...charge, disputed: false } }
  const data = [
    listed('cs_1', {}),
    listed('cs_2', { currency: null }),
    listed('cs_3', { created: null }),
    listed('cs_4', { payment_status: 'paid', payment_intent }),
    listed('cs_5', { metadata: null, currency: null }),
    listed('cs_6', {}),
  ]
  server.replies(json(200, { data, has_more: false }), refundPage([refund('re_1', 500, { amount: null })]))
  await using provider = server.open()
  const page = await provider.listCheckouts('acct_1', { createdFrom: new Date(0) })
  expect(page.checkouts.map(({ checkout }) => checkout.id)).toEqual(['cs_1', 'cs_6'])
  expect(page.unreadable).toEqual([
    { id: 'cs_2', recordId: 'record of cs_2', reason: expect.stringContaining('currency is null') },
    { id: 'cs_3', recordId: 'record of cs_3', reason: expect.stringContaining('time of the session') },
    { id: 'cs_4', recordId: 'record of cs_4', reason: expect.stringContaining('amount is null') },
  ])
})

test('an operator sees it: an error in the log that says what was not understood, and an outcome of its own', async () => {
  await using server = await openProviderServer()
  server.replies(session({ currency: null }))
  const errors: object[] = []
  const registry = new Registry()
  const settings = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecrets: [], baseUrl: server.url }
  await using providers = openProviders([stripeConfig({ name: 'Stripe', ...settings })], {
    registry,
    log: { info() {}, warn() {}, error: (fields) => void errors.push(fields) },
  })
  const provider = enabledProvider(providers, 'Stripe')
  await Promise.allSettled([provider.createCheckout(request), provider.retrieveCheckout(key)])
  const reason: unknown = expect.stringContaining('the currency is null')
  expect(errors).toMatchObject([
    { operation: 'createCheckout', outcome: 'unreadable', reason },
    { operation: 'retrieveCheckout', outcome: 'unreadable', reason },
  ])
  expect(await registry.metrics()).toContain('operation="createCheckout",outcome="unreadable"} 1')
})

test('an answer that is not understood opens no breaker: the provider is there', async () => {
  await using server = await openProviderServer()
  server.replies(session({ currency: null }))
  await using provider = server.open({ breaker: { failures: 2, openMs: 60_000 } })
  for (let count = 0; count < 4; count += 1) {
    await expect(provider.createCheckout(request)).rejects.toSatisfy(isUnreadable)
  }
})

test('an error without the words of the provider is no success', async () => {
  await using server = await openProviderServer()
  server.replies(json(503, { message: 'no upstream' }))
  await using provider = server.open()
  await expect(provider.createCheckout(request)).rejects.toBeInstanceOf(ProviderOutcomeUnknown)
  await expect(provider.deleteAccount('acct_9')).rejects.toBeInstanceOf(ProviderOutcomeUnknown)
})
