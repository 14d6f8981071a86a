import { afterAll, beforeAll, expect, test } from 'vitest'
import { handledEvents } from '../src/webhooks/store.ts'
import { hostedSession, makeAccount, refusal, runSandbox, type RunningSandbox, stripeAt } from './running-sandbox.ts'

let sandbox: RunningSandbox

beforeAll(async () => {
  sandbox = await runSandbox({
    SANDBOX_WEBHOOK_URL_PAYMENTS: 'http://127.0.0.1:9/payments',
    SANDBOX_WEBHOOK_URL_ACCOUNTS: 'http://127.0.0.1:9/accounts',
  })
})
afterAll(() => sandbox[Symbol.asyncDispose]())

test('a platform without money has an empty balance', async () => {
  expect(await sandbox.stripe.balance.retrieve()).toMatchObject({ object: 'balance', available: [], livemode: false })
})

test('a key retrieves its own account, and a connected one in its name', async () => {
  const own = await sandbox.stripe.accounts.retrieveCurrent()
  expect(own).toMatchObject({ object: 'account', country: 'US', charges_enabled: true, type: 'standard' })
  const connected = await makeAccount(sandbox)
  const found = await sandbox.stripe.accounts.retrieveCurrent({}, { stripeAccount: connected })
  expect(found).toMatchObject({ id: connected, country: 'NZ' })
  const stranger = stripeAt(sandbox.url, 'sk_test_of_a_stranger')
  expect(await refusal(stranger.accounts.retrieveCurrent())).toMatchObject({ statusCode: 401 })
})

test('both webhook endpoints are listed with their addresses and events', async () => {
  const { data, has_more } = await sandbox.stripe.webhookEndpoints.list({ limit: 100 })
  expect(has_more).toBe(false)
  expect(data).toMatchObject([
    { object: 'webhook_endpoint', status: 'enabled', url: 'http://127.0.0.1:9/payments', livemode: false },
    { object: 'webhook_endpoint', status: 'enabled', url: 'http://127.0.0.1:9/accounts', livemode: false },
  ])
  expect(data.flatMap((endpoint) => endpoint.enabled_events).toSorted()).toEqual(handledEvents.toSorted())
  expect(data[1]?.enabled_events).toEqual(['account.application.deauthorized', 'account.updated'])
  const first = await sandbox.stripe.webhookEndpoints.list({ limit: 1 })
  expect(first.has_more).toBe(true)
  const second = await sandbox.stripe.webhookEndpoints.list({ starting_after: first.data[0]?.id ?? '' })
  expect(second.data).toMatchObject([{ id: data[1]?.id }])
})

test('a platform lists its fees, and each account its payment intents, newest first', async () => {
  const account = await makeAccount(sandbox)
  const options = { stripeAccount: account }
  const pay = async () => {
    const { id } = await sandbox.stripe.checkout.sessions.create(hostedSession(), options)
    await sandbox.control(`checkouts/${id}/pay`)
    return (await sandbox.stripe.checkout.sessions.retrieve(id, {}, options)).payment_intent as string
  }
  const intents = [await pay(), await pay()].toReversed()
  const listed = await sandbox.stripe.paymentIntents.list({ limit: 1 }, options)
  expect(listed).toMatchObject({ has_more: true, data: [{ id: intents[0], status: 'succeeded' }] })
  const rest = await sandbox.stripe.paymentIntents.list({ starting_after: intents[0] ?? '' }, options)
  expect(rest.data).toMatchObject([{ id: intents[1] }])
  await sandbox.stripe.refunds.create({ payment_intent: intents[0] ?? '', refund_application_fee: true }, options)
  const newest = await sandbox.stripe.applicationFees.list({ limit: 1 })
  const fee = { object: 'application_fee', account, amount: 250, currency: 'nzd' }
  expect(newest).toMatchObject({ has_more: true, data: [{ ...fee, amount_refunded: 250, refunded: true }] })
  const older = await sandbox.stripe.applicationFees.list({ starting_after: newest.data[0]?.id ?? '' })
  expect(older.data).toMatchObject([{ ...fee, amount_refunded: 0, refunded: false }])
  expect((await sandbox.stripe.applicationFees.list({}, options)).data).toEqual([])
})
