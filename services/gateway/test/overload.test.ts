import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { eventually } from '@frontdesk/testing'
import { Agent, request } from 'undici'
import { describe, expect, test } from 'vitest'
import { openGateway, site, type Gateway, type Reply } from './gateway-fixture.ts'

const payments = `/api/v1/sites/${site.slug}/payments`
const accounts = `/api/v1/sites/${site.slug}/payment-provider-accounts`

/** Opens a gateway whose payments service answers no request until `release`. */
async function openBlocked(env: Record<string, string>) {
  const gateway = await openGateway({ env })
  gateway.upstreams.registry.sites.set(site.slug, site)
  const token = await gateway.token('demo')
  await gateway.call(accounts, { token })
  const waiting: (() => void)[] = []
  gateway.upstreams.payments.answer(async () => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    return {}
  })
  return {
    gateway,
    token,
    waiting,
    /** Sends so many requests and waits until the service has all of them. */
    async send(count: number): Promise<Promise<Reply>[]> {
      const replies = Array.from({ length: count }, () => gateway.call(payments, { token }))
      await eventually(() => expect(waiting).toHaveLength(count))
      return replies
    },
    release() {
      for (const one of waiting.splice(0)) one()
    },
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  }
}

const metricOf = async (gateway: Gateway, name: string) => {
  const text = await (await request(gateway.metricsUrl)).body.text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.split(' ')
      .at(-1),
  )
}

describe('requests over the limit', () => {
  test('are a 503 problem with Retry-After, and those under way are answered', async () => {
    await using fixture = await openBlocked({ MAX_IN_FLIGHT: '3' })
    const { gateway, token } = fixture
    const replies = await fixture.send(3)
    const refused = await gateway.call(accounts, { token })
    expect(refused).toMatchObject({
      status: 503,
      json: {
        code: 'overloaded',
        status: 503,
        type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
        instance: accounts,
        traceId: expect.any(String),
      },
    })
    expect(refused.headers['content-type']).toContain('application/problem+json')
    expect(refused.headers['retry-after']).toMatch(/^[123]$/)
    // Before authentication, since that is cheaper.
    expect((await gateway.call(payments)).status).toBe(503)
    expect((await gateway.call('/oauth2/token', { method: 'POST' })).status).toBe(503)
    fixture.release()
    for (const { status } of await Promise.all(replies)) expect(status).toBe(200)
    expect((await gateway.call(accounts, { token })).status).toBe(200)
    expect(await metricOf(gateway, 'gateway_shed_total{reason="in_flight"}')).toBe(3)
  })

  test('do not affect the probes and the metrics', async () => {
    await using fixture = await openBlocked({ MAX_IN_FLIGHT: '2' })
    const replies = await fixture.send(2)
    for (const path of ['/livez', '/readyz']) expect((await fixture.gateway.call(path)).status).toBe(200)
    expect(await metricOf(fixture.gateway, 'gateway_requests_in_flight{source="clients"}')).toBe(2)
    fixture.release()
    await Promise.all(replies)
    await eventually(async () =>
      expect(await metricOf(fixture.gateway, 'gateway_requests_in_flight{source="clients"}')).toBe(0),
    )
  })

  test('leave room for webhooks of providers, and these for the requests of clients', async () => {
    await using fixture = await openBlocked({ MAX_IN_FLIGHT: '2', MAX_WEBHOOKS_IN_FLIGHT: '1' })
    const { gateway, token, waiting } = fixture
    const webhook = (kind: string) =>
      gateway.call(`/providers/sandbox/webhooks/${kind}`, { method: 'POST', body: '{}' })
    const replies = await fixture.send(2)
    expect((await gateway.call(accounts, { token })).status).toBe(503)
    expect((await webhook('accounts')).status).toBe(200)
    fixture.release()
    await Promise.all(replies)

    const stored = webhook('payments')
    await eventually(() => expect(waiting).toHaveLength(1))
    expect(await webhook('accounts')).toMatchObject({ status: 503, json: { code: 'overloaded' } })
    expect((await gateway.call(accounts, { token })).status).toBe(200)
    fixture.release()
    expect((await stored).status).toBe(200)
    expect(await metricOf(gateway, 'gateway_shed_total{reason="webhooks"}')).toBe(1)
  })

  test('are admitted again after a caller closed its connection', async () => {
    await using fixture = await openBlocked({ MAX_IN_FLIGHT: '1' })
    const { gateway, token, waiting } = fixture
    const agent = new Agent()
    const impatient = request(gateway.url + payments, {
      dispatcher: agent,
      headers: { authorization: `Bearer ${token}` },
    })
    await eventually(() => expect(waiting).toHaveLength(1))
    expect((await gateway.call(accounts, { token })).status).toBe(503)
    await Promise.all([agent.destroy(), expect(impatient).rejects.toThrow()])
    await eventually(async () => expect((await gateway.call(accounts, { token })).status).toBe(200))
    fixture.release()
  })

  test('to one service do not affect the other services', async () => {
    await using fixture = await openBlocked({ MAX_IN_FLIGHT_PER_SERVICE: '2' })
    const { gateway, token } = fixture
    const replies = await fixture.send(2)
    expect(await gateway.call(payments, { token })).toMatchObject({ status: 503, json: { code: 'overloaded' } })
    expect((await gateway.call(accounts, { token })).status).toBe(200)
    fixture.release()
    await Promise.all(replies)
    expect(await metricOf(gateway, 'gateway_shed_total{reason="service"}')).toBe(1)
  })
})

test('a part of the requests is refused while the event loop is late', async () => {
  await using gateway = await openGateway({ env: { MAX_EVENT_LOOP_DELAY: '40ms' } })
  expect((await gateway.call('/')).status).toBe(200)
  // The gateway runs in this process: a loop here delays its event loop.
  const until = performance.now() + 2_500
  while (performance.now() < until) {
    const turnEnds = performance.now() + 120
    while (performance.now() < turnEnds);
    await turn()
  }
  const statuses: number[] = []
  for (let count = 0; count < 20; count += 1) statuses.push((await gateway.call('/')).status)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect((await gateway.call('/livez')).status).toBe(200)
})

/** Makes payments a service that completes so many requests a second, 10 at a time; the others wait in it. */
function limitCapacity(gateway: Gateway, perSecond: number): void {
  const slots = 10
  let free = slots
  const waiting: (() => void)[] = []
  gateway.upstreams.payments.answer(async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    await wait((1_000 * slots) / perSecond)
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
    return {}
  })
}

describe('at five times the capacity of a service', () => {
  test('what is admitted is answered soon, the rest is refused with Retry-After, and afterwards nothing is', async () => {
    const capacity = 20
    await using gateway = await openGateway({ env: { MAX_IN_FLIGHT_PER_SERVICE: '10' } })
    gateway.upstreams.registry.sites.set(site.slug, site)
    const token = await gateway.token('demo')
    const call = async () => {
      const began = performance.now()
      const { status, headers } = await gateway.call(payments, { token })
      return { status, retryAfter: headers['retry-after'], ms: performance.now() - began }
    }
    await call()
    limitCapacity(gateway, capacity)
    const sent: ReturnType<typeof call>[] = []
    const seconds = 3
    const began = performance.now()
    while (sent.length < 5 * capacity * seconds) {
      const due = ((performance.now() - began) / 1_000) * 5 * capacity
      while (sent.length < due) sent.push(call())
      await wait(5)
    }
    const replies = await Promise.all(sent)
    const admitted = replies.filter(({ status }) => status === 200)
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 503]))
    for (const { status, retryAfter } of replies) if (status === 503) expect(retryAfter).toMatch(/^[123]$/)
    // Little's law: 10 under way at 20 a second are half a second; the rest is for a busy machine. Without a limit the last
    // request would wait 12 s.
    expect(Math.max(...admitted.map(({ ms }) => ms))).toBeLessThan(3_000)
    // The service works at its capacity, and not on requests that nobody waits for.
    expect(admitted.length).toBeGreaterThan(0.5 * capacity * seconds)
    for (let count = 0; count < 10; count += 1) expect((await call()).status).toBe(200)
  })

  test('the default lets no more than 200 requests wait for one service', async () => {
    await using fixture = await openBlocked({})
    const { gateway, token } = fixture
    const replies = Array.from({ length: 250 }, () => gateway.call(payments, { token }))
    const refused: Reply[] = []
    for (const reply of replies) void reply.then((answer) => refused.push(answer))
    await eventually(() => expect(fixture.waiting.length + refused.length).toBe(250), { within: 15_000 })
    expect(fixture.waiting).toHaveLength(200)
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
    fixture.release()
    expect((await Promise.all(replies)).filter(({ status }) => status === 200)).toHaveLength(200)
  })
})

// Concurrent: both mostly wait for deadlines.
describe.concurrent('a service that hangs', () => {
  test('is answered for at once after some deadlines, until it answers again', { timeout: 60_000 }, async () => {
    await using gateway = await openGateway()
    gateway.upstreams.registry.sites.set(site.slug, site)
    const token = await gateway.token('demo')
    gateway.upstreams.payments.answer((_arrived, reply) => reply.hijack())
    const late = await Promise.all(Array.from({ length: 5 }, () => gateway.call(payments, { token })))
    expect(late.map(({ status }) => status)).toEqual([504, 504, 504, 504, 504])

    const began = performance.now()
    const refused = await gateway.call(payments, { token })
    expect(performance.now() - began).toBeLessThan(500)
    expect(refused).toMatchObject({ status: 503, json: { code: 'service_unavailable' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(5)
    expect(gateway.upstreams.payments.requests).toHaveLength(5)
    expect((await gateway.call(accounts, { token })).status).toBe(200)
    expect(await metricOf(gateway, 'gateway_breaker_open{service="payments"}')).toBe(1)

    gateway.upstreams.payments.answer(undefined)
    await eventually(async () => expect((await gateway.call(payments, { token })).status).toBe(200), {
      within: 8_000,
      every: 100,
    })
    expect(await metricOf(gateway, 'gateway_breaker_open{service="payments"}')).toBe(0)
  })

  test('is also answered for at once if it is registry, asked about sites and keys', { timeout: 60_000 }, async () => {
    await using gateway = await openGateway()
    const token = await gateway.token('demo')
    gateway.upstreams.registry.hang(true)
    const lookup = (name: string) => gateway.call(`/api/v1/sites/s${name}/payments`, { token })
    await Promise.all(['one1', 'two2', 'three3', 'four4', 'five5'].map(lookup))
    const began = performance.now()
    const refused = await lookup('six6')
    expect(performance.now() - began).toBeLessThan(500)
    expect(refused).toMatchObject({ status: 503, json: { code: 'service_unavailable' } })
    // Forwarded requests share the breaker of these lookups.
    expect((await gateway.call('/api/v1/sites', { token })).status).toBe(503)
    expect(await metricOf(gateway, 'gateway_breaker_open{service="registry"}')).toBe(1)
    gateway.upstreams.registry.hang(false)
    await eventually(async () => expect((await lookup('six6')).status).toBe(404), { within: 8_000, every: 100 })
  })
})
