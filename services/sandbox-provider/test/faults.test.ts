import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually, openReceiver, type Receiver } from '@frontdesk/testing'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CallCounts } from '../src/calls/calls.ts'
import {
  hostedSession,
  makeAccount,
  refusal,
  runSandbox,
  type RunningSandbox,
  webhookSecret,
} from './running-sandbox.ts'

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

const setFaults = (settings: object) => sandbox.setFaults(settings)
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

test('a fault that comes again in place of the stored reply does not say that it was stored', async () => {
  await setFaults({ api: { errorAfter: { next: 2 } } })
  const key = randomUUID()
  await refusal(create(key))
  const again = await refusal(create(key))
  expect(again).toMatchObject({ statusCode: 500 })
  expect(again.headers?.['idempotent-replayed']).toBeUndefined()
})

test.each([
  ['savedErrorBefore', 0],
  ['savedErrorAfter', 1],
])('%s is replayed to its key, and has its effect %d times', async (fault, effects) => {
  const other = await makeAccount(sandbox)
  const make = (idempotencyKey: string) =>
    sandbox.stripe.checkout.sessions.create(hostedSession(), { stripeAccount: other, idempotencyKey })
  const made = async () => (await sandbox.stripe.checkout.sessions.list({}, { stripeAccount: other })).data.length
  expect(await setFaults({ api: { [fault]: { next: 1 } } })).toBe(204)
  const key = randomUUID()
  const first = await refusal(make(key))
  expect(first).toMatchObject({ statusCode: 500, type: 'StripeAPIError' })
  expect(first.headers?.['idempotent-replayed']).toBeUndefined()
  expect(await made()).toBe(effects)
  await sandbox.restart()
  for (let count = 0; count < 2; count += 1) {
    const again = await refusal(make(key))
    expect(again).toMatchObject({ statusCode: 500, message: first.message })
    expect(again.headers?.['idempotent-replayed']).toBe('true')
  }
  expect(await made()).toBe(effects)
  await make(`${key}_2`)
  expect(await made()).toBe(effects + 1)
})

test('only a request with a key can meet a saved error', async () => {
  await setFaults({ api: { savedErrorBefore: { rate: 1 } } })
  const { id } = await sandbox.stripe.accounts.retrieve(account)
  expect(id).toBe(account)
  expect(await refusal(create(randomUUID()))).toMatchObject({ statusCode: 500 })
})

test('calls beyond the limit of a second are answered 429, without a time to wait, and counted', async () => {
  await setFaults({ rules: { callsPerSecond: 3 } })
  const read = () => sandbox.stripe.accounts.retrieve(account)
  const calls = await Promise.allSettled(Array.from({ length: 12 }, read))
  const limited = calls
    .filter((call) => call.status === 'rejected')
    .map((call) => call.reason as Stripe.errors.StripeError)
  expect(limited.length).toBeGreaterThan(3)
  expect(calls.length - limited.length).toBeGreaterThanOrEqual(3)
  for (const error of limited) {
    expect(error).toMatchObject({ statusCode: 429, type: 'StripeRateLimitError', code: 'rate_limit' })
    expect(error.headers).toMatchObject({ 'stripe-rate-limited-reason': 'global-rate', 'stripe-should-retry': 'false' })
    expect(error.headers?.['retry-after']).toBeUndefined()
  }
  const met = await fetch(`${sandbox.url}/_control/faults/met`)
  expect(await met.json()).toMatchObject({ api: { callsPerSecond: limited.length } })
  await setFaults({})
  await Promise.all(Array.from({ length: 12 }, read))
})

test('a 429 tells a time to wait if the rule says so', async () => {
  await setFaults({ api: { rateLimit: { next: 1 } }, rules: { retryAfter: 7 } })
  expect((await refusal(create(randomUUID()))).headers?.['retry-after']).toBe('7')
})

test('a rate limit that comes in spells hits every call within one, and none between two', async () => {
  const spell = (lastMs: number) => ({ api: { rateLimit: { rate: 1, spells: { lastMs, betweenMs: 600_000 } } } })
  const read = () => sandbox.stripe.accounts.retrieve(account)
  await setFaults(spell(600_000))
  for (let count = 0; count < 5; count += 1) expect(await refusal(read())).toMatchObject({ statusCode: 429 })
  await setFaults(spell(1))
  await pause(5)
  for (let count = 0; count < 5; count += 1) await read()
  expect(await setFaults({ api: { rateLimit: { rate: 1, spells: { lastMs: 0, betweenMs: 1 } } } })).toBe(400)
  const without = { rate: 1, spells: { lastMs: 1 } } as unknown as { rate: number }
  expect(await setFaults({ api: { rateLimit: without } })).toBe(400)
  expect(await setFaults({ api: { hang: { ...without } } })).toBe(400)
})

test('the calls of the last seconds are counted, refused ones too', async () => {
  await sandbox.restart()
  await setFaults({ api: { rateLimit: { next: 2 } } })
  await Promise.allSettled(Array.from({ length: 5 }, () => sandbox.stripe.accounts.retrieve(account)))
  const told = await fetch(`${sandbox.url}/_control/calls?seconds=600`)
  const { calls, mostInASecond, perSecond } = (await told.json()) as CallCounts
  expect(calls).toBe(5)
  expect(mostInASecond).toBeGreaterThan(0)
  expect(perSecond).toHaveLength(600)
  expect(perSecond.reduce((sum, count) => sum + count, 0)).toBe(5)
  expect((await fetch(`${sandbox.url}/_control/calls?seconds=0`)).status).toBe(400)
})

test('the clock of the signatures can be ahead or behind', async () => {
  for (const signatureClockMs of [400_000, -400_000]) {
    await setFaults({ rules: { signatureClockMs } })
    receiver.requests.length = 0
    await pay()
    const request = await eventually(() => receiver.requests[0] ?? Promise.reject(new Error('not yet')))
    const header = String(request.headers['stripe-signature'])
    const ahead = Number(/t=(\d+)/.exec(header)?.[1]) * 1_000 - Date.now()
    expect(Math.abs(ahead - signatureClockMs)).toBeLessThan(30_000)
    expect(() => Stripe.webhooks.signature?.verifyHeader(request.body, header, webhookSecret, 1_000_000)).not.toThrow()
  }
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
  await setFaults({
    api: { hang: { rate: 0.05 }, reset: { next: 3 } },
    rules: { callsPerSecond: 100 },
    webhooks: { drop: { rate: 0.05 } },
  })
  await sandbox.restart()
  const shown = await fetch(`${sandbox.url}/_control/faults`)
  expect(await shown.json()).toEqual({
    api: { hang: { rate: 0.05 }, reset: {} },
    rules: { callsPerSecond: 100 },
    refunds: {},
    webhooks: { drop: { rate: 0.05 } },
  })
  expect(await setFaults({ api: { explode: { rate: 1 } } })).toBe(400)
  expect(await setFaults({ api: { hang: { rate: 5 } } })).toBe(400)
  expect(await setFaults({ rules: { callsPerSecond: 0 } })).toBe(400)
})
