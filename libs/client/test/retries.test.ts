import { setTimeout as wait } from 'node:timers/promises'
import { FrontdeskUnreachable, ServerErrorProblem, TooManyRequestsProblem, UserErrorProblem } from '../src/index.ts'
import type { ReceiverReply } from '@frontdesk/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { json, openGatewayDouble, problem, type GatewayDouble } from './gateway-double.ts'

const site = { body: { Name: 'Harbour Street Dental' } }
const created = json(201, { Identity: { SiteSlug: 'sAbc123' } })

let gateway: GatewayDouble
beforeAll(async () => void (gateway = await openGatewayDouble()))
afterAll(() => gateway[Symbol.asyncDispose]())

/** Returns a function that lists the calls received since. */
function fromNowOn(): () => ReturnType<GatewayDouble['calls']> {
  const before = gateway.calls().length
  return () => gateway.calls().slice(before)
}

describe('a temporary failure is retried', () => {
  const passing: [string, ReceiverReply, number?][] = [
    ['503', problem(503, 'service_unavailable', { 'retry-after': '0' })],
    ['429', problem(429, 'rate_limited', { 'retry-after': '0' })],
    ['502 of a proxy', { status: 502, body: '<h1>Bad Gateway</h1>' }],
    ['504', problem(504, 'deadline_exceeded')],
    ['a key in use', problem(409, 'idempotency_key_in_use', { 'retry-after': '0' })],
    ['a lost connection', 'drop'],
    ['a time-out', 'hang', 300],
  ]
  test.for(passing)('%s, with the same Idempotency-Key and the same body', async ([, first, timeoutMs]) => {
    const sent = fromNowOn()
    gateway.answers(first, created)
    const client = gateway.client(timeoutMs === undefined ? {} : { timeoutMs })
    expect(await client.sites.create(site)).toMatchObject({ Identity: { SiteSlug: 'sAbc123' } })
    const [one, other, ...more] = sent()
    expect(more).toEqual([])
    expect(one?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
    expect(other?.headers['idempotency-key']).toBe(one?.headers['idempotency-key'])
    expect(other?.body).toBe(one?.body)
  })

  test('each call has its own key, or the one that the caller gives', async () => {
    const sent = fromNowOn()
    gateway.answers(created)
    const client = gateway.client()
    await client.sites.create(site)
    await client.sites.create(site)
    await client.sites.create({ ...site, idempotencyKey: 'order-4711' })
    const keys = sent().map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(3)
    expect(keys[2]).toBe('order-4711')
  })

  test('only a POST has a key', async () => {
    const sent = fromNowOn()
    gateway.answers(json(200, { Items: [] }))
    await gateway.client().sites.list()
    expect(sent()[0]?.headers).not.toHaveProperty('idempotency-key')
  })
})

describe('Retry-After', () => {
  test('is obeyed, in seconds and as a date', async () => {
    const inOneToTwoSeconds = () => new Date(Math.ceil(Date.now() / 1000) * 1000 + 1_000).toUTCString()
    for (const retryAfter of [() => '1', inOneToTwoSeconds]) {
      const sent = fromNowOn()
      gateway.answers(problem(503, 'overloaded', { 'retry-after': retryAfter() }), created)
      await gateway.client().sites.create(site)
      const [one, other] = sent()
      expect(Number(other?.receivedAt) - Number(one?.receivedAt)).toBeGreaterThan(950)
    }
  })

  test('longer than longestWaitMs makes the call fail at once', async () => {
    const sent = fromNowOn()
    gateway.answers(problem(429, 'rate_limited', { 'retry-after': '60' }))
    const began = performance.now()
    const refusal = await gateway
      .client()
      .sites.create(site)
      .catch((error: unknown) => error)
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(refusal).toBeInstanceOf(TooManyRequestsProblem)
    expect(refusal).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: 60 })
    expect(sent()).toHaveLength(1)
  })
})

test('without a Retry-After the waits grow no longer than longestWaitMs, and no wait of its own ends a call', async () => {
  const sent = fromNowOn()
  gateway.answers(...Array.from({ length: 12 }, () => problem(504, 'deadline_exceeded')), created)
  await gateway.client({ attempts: 20, longestWaitMs: 5 }).sites.create(site)
  expect(sent()).toHaveLength(13)
})

describe('a call throws', () => {
  test.for([400, 403, 404, 409, 422, 500])('the problem of a %i at once', async (status) => {
    const sent = fromNowOn()
    gateway.answers(problem(status, 'some_code'))
    await expect(gateway.client().sites.create(site)).rejects.toMatchObject({ status, code: 'some_code' })
    expect(sent()).toHaveLength(1)
  })

  test('the problem of the last try', async () => {
    const sent = fromNowOn()
    gateway.answers(problem(503, 'provider_unavailable', { 'retry-after': '0' }))
    const refusal = await gateway
      .client({ attempts: 3 })
      .sites.create(site)
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ServerErrorProblem)
    expect(sent()).toHaveLength(3)
  })

  test('FrontdeskUnreachable if there is no answer', async () => {
    gateway.answers('drop')
    const lost = await gateway
      .client({ attempts: 2 })
      .sites.create(site)
      .catch((error: unknown) => error)
    expect(lost).toBeInstanceOf(FrontdeskUnreachable)
    gateway.answers('hang')
    const late = await gateway
      .client({ attempts: 1, timeoutMs: 200 })
      .sites.create(site)
      .catch((error: unknown) => error)
    expect(late).toBeInstanceOf(FrontdeskUnreachable)
    expect(late).toMatchObject({ cause: { name: 'TimeoutError' } })
  })

  test('FrontdeskUnreachable on a redirect, which would send the credentials elsewhere', async () => {
    gateway.answers({ status: 302, headers: { location: 'http://127.0.0.1:1/' } })
    await expect(gateway.client({ attempts: 1 }).sites.list()).rejects.toThrow(FrontdeskUnreachable)
    gateway.answers(problem(405, 'method_not_allowed'))
    await expect(gateway.client().sites.list()).rejects.toThrow(UserErrorProblem)
  })
})

describe('the caller’s signal', () => {
  const reason = new Error('no longer wanted')

  test.for<[string, ReceiverReply]>([
    ['a request', 'hang'],
    ['a wait', problem(503, 'overloaded', { 'retry-after': '15' })],
  ])('ends %s at once, with its reason', async ([, reply]) => {
    gateway.answers(reply)
    const controller = new AbortController()
    const began = performance.now()
    const call = gateway.client().sites.create({ ...site, signal: controller.signal })
    await Promise.all([expect(call).rejects.toBe(reason), wait(300).then(() => controller.abort(reason))])
    expect(performance.now() - began).toBeLessThan(2_000)
  })

  test('that has aborted before the call sends nothing', async () => {
    const sent = fromNowOn()
    const call = gateway.client().sites.create({ ...site, signal: AbortSignal.abort(reason) })
    await expect(call).rejects.toBe(reason)
    expect(sent()).toEqual([])
  })
})
