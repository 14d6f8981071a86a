import { setImmediate as turn } from 'node:timers/promises'
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
    expect(await metricOf(fixture.gateway, 'gateway_requests_in_flight')).toBe(2)
    fixture.release()
    await Promise.all(replies)
    await eventually(async () => expect(await metricOf(fixture.gateway, 'gateway_requests_in_flight')).toBe(0))
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
