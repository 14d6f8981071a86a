import { randomUUID } from 'node:crypto'
import { eventually, openReceiver, type Receiver } from '@frontdesk/testing'
import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hostedSession, makeAccount, refusal, runSandbox, type RunningSandbox } from './running-sandbox.ts'

let receiver: Receiver
let sandbox: RunningSandbox
let account: string

beforeAll(async () => {
  receiver = await openReceiver()
  sandbox = await runSandbox({
    SANDBOX_WEBHOOK_URL_PAYMENTS: receiver.url,
    SANDBOX_WEBHOOK_EVENTS: 'checkout.session.completed',
  })
  account = await makeAccount(sandbox)
})
beforeEach(async () => {
  await setFaults({})
  receiver.requests.length = 0
})
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const setFaults = async (settings: object) => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(settings)
  return (await fetch(`${sandbox.url}/_control/faults`, { method: 'POST', headers, body })).status
}
const create = (idempotencyKey: string, timeout = 5_000): Promise<Stripe.Response<Stripe.Checkout.Session>> =>
  sandbox.stripe.checkout.sessions.create(hostedSession(), { stripeAccount: account, idempotencyKey, timeout })
const pay = async () => {
  const { id } = await create(randomUUID())
  await sandbox.control(`checkouts/${id}/pay`)
  return id
}
const received = () => receiver.requests.map((request) => (JSON.parse(request.body) as Stripe.Event).data.object)

test.each([
  ['rateLimit', { statusCode: 429, code: 'rate_limit', type: 'StripeRateLimitError' }],
  ['conflict', { statusCode: 409, code: 'lock_timeout' }],
  ['errorBefore', { statusCode: 500, type: 'StripeAPIError' }],
])('%s hits the set number of calls, and has no effect', async (fault, expected) => {
  expect(await setFaults({ api: { [fault]: { next: 2 } } })).toBe(204)
  const key = randomUUID()
  expect(await refusal(create(key))).toMatchObject(expected)
  expect(await refusal(create(key))).toMatchObject(expected)
  const made = await create(key)
  expect(made.lastResponse.headers['idempotent-replayed']).toBeUndefined()
  const met = await fetch(`${sandbox.url}/_control/faults/met`)
  expect(await met.json()).toMatchObject({ api: { [fault]: 2 } })
})

test.each([
  ['errorAfter', 1, { statusCode: 500 }],
  ['hang', 1, { type: 'StripeConnectionError' }],
  // The client itself repeats a call once after a reset connection.
  ['reset', 2, { type: 'StripeConnectionError' }],
])('%s leaves the effect, and a repeated key replays it', async (fault, next, expected) => {
  await setFaults({ api: { [fault]: { next } } })
  const key = randomUUID()
  expect(await refusal(create(key, 500))).toMatchObject(expected)
  const found = await create(key)
  expect(found.lastResponse.headers['idempotent-replayed']).toBe('true')
})

test('a slow call takes the set time longer', async () => {
  await setFaults({ api: { slow: { rate: 1, ms: 150 } } })
  const started = performance.now()
  await create(randomUUID())
  expect(performance.now() - started).toBeGreaterThanOrEqual(145)
})

test('a rate hits about the set share of calls', async () => {
  await setFaults({ api: { errorBefore: { rate: 0.5 } } })
  const calls = await Promise.allSettled(Array.from({ length: 100 }, () => create(randomUUID())))
  const failed = calls.filter((call) => call.status === 'rejected').length
  expect(failed).toBeGreaterThan(20)
  expect(failed).toBeLessThan(80)
})

test('a duplicated webhook is sent twice, under one id', async () => {
  await setFaults({ webhooks: { duplicate: { next: 1 } } })
  await pay()
  await eventually(() => expect(receiver.requests).toHaveLength(2))
  expect(new Set(receiver.requests.map((request) => (JSON.parse(request.body) as Stripe.Event).id)).size).toBe(1)
})

test('a dropped webhook is never sent, a delayed one is sent later, once', async () => {
  await setFaults({ webhooks: { drop: { next: 1 } } })
  await pay()
  await setFaults({ webhooks: { delay: { rate: 1, ms: 700 } } })
  const delayed = await pay()
  await setFaults({})
  const prompt = await pay()
  await eventually(() => expect(received()).toMatchObject([{ id: prompt }, { id: delayed }]))
})

test('reordered webhooks arrive in another order', async () => {
  await setFaults({ webhooks: { reorder: { rate: 1, ms: 2_000 } } })
  const all: string[] = []
  for (let count = 0; count < 8; count += 1) all.push(await pay())
  await eventually(() => expect(receiver.requests).toHaveLength(8))
  const order = received().map((object) => (object as { id: string }).id)
  expect(order).not.toEqual(all)
  expect(order.toSorted()).toEqual(all.toSorted())
})

test('fault settings are shown, outlive a restart, and are validated', async () => {
  await setFaults({ api: { hang: { rate: 0.05 }, reset: { next: 3 } }, webhooks: { drop: { rate: 0.05 } } })
  await sandbox.restart()
  const shown = await fetch(`${sandbox.url}/_control/faults`)
  expect(await shown.json()).toEqual({
    api: { hang: { rate: 0.05 }, reset: {} },
    webhooks: { drop: { rate: 0.05 } },
  })
  expect(await setFaults({ api: { explode: { rate: 1 } } })).toBe(400)
  expect(await setFaults({ api: { hang: { rate: 5 } } })).toBe(400)
})
