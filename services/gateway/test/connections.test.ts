import { setTimeout as wait } from 'node:timers/promises'
import { createServer, listen } from '@frontdesk/service/http'
import { openTcpProxy } from '@frontdesk/testing'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { openGateway, site, type Gateway } from './gateway-fixture.ts'
import { openUpstream } from './upstreams.ts'

const payments = `/api/v1/sites/${site.slug}/payments`
const portOf = (url: string) => Number(new URL(url).port)

/** Opens a gateway that reaches payments through a balancer, as behind a Kubernetes Service. */
async function openBalanced(env: Record<string, string> = {}) {
  await using stack = new AsyncDisposableStack()
  const balancer = stack.use(await openTcpProxy(0))
  const gateway = stack.use(await openGateway({ env: { PAYMENTS_URL: `http://127.0.0.1:${balancer.port}`, ...env } }))
  gateway.upstreams.registry.sites.set(site.slug, site)
  const first = portOf(gateway.upstreams.payments.url)
  balancer.setTargets([first])
  const token = await gateway.token('demo')
  const owned = stack.move()
  return { gateway, balancer, token, first, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Creates payments without an Idempotency-Key, eight at a time, until `until`; returns the statuses. */
async function createPayments(gateway: Gateway, token: string, until: () => boolean): Promise<number[]> {
  const statuses: number[] = []
  const one = async (): Promise<void> => {
    while (!until()) {
      statuses.push((await gateway.call(payments, { method: 'POST', token, body: '{}' })).status)
      await wait(5)
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
  return statuses
}

test('a new replica gets its share of the requests once the connections have aged, and no request fails', async () => {
  await using fixture = await openBalanced({ UPSTREAM_CONNECTION_AGE: '1s' })
  const { gateway, balancer, token, first } = fixture
  await using added = await openUpstream('payments', gateway.keysOf)
  let stopAt = Infinity
  const sending = createPayments(gateway, token, () => performance.now() > stopAt)
  await wait(500)
  balancer.setTargets([first, portOf(added.url)])
  await wait(1_500)
  gateway.upstreams.payments.requests.length = 0
  added.requests.length = 0
  stopAt = performance.now() + 2_000
  const statuses = await sending
  expect(new Set(statuses)).toEqual(new Set([200]))
  const all = added.requests.length + gateway.upstreams.payments.requests.length
  expect(added.requests.length / all).toBeGreaterThan(0.25)
  expect(added.requests.length / all).toBeLessThan(0.75)
})

/** Opens a replica of payments with the server that services have. `stop` ends it as SIGTERM does, with this drain. */
async function openReplica(drainMs: number) {
  const stopping = new AbortController()
  const app = createServer({
    name: 'payments',
    log: pino({ level: 'silent' }),
    metrics: new Registry(),
    ready: async () => ({}),
    stopping: stopping.signal,
  })
  app.post('/*', async () => ({ created: true }))
  const port = portOf(await listen(app, { host: '127.0.0.1', port: 0 }))
  return {
    port,
    async stop() {
      stopping.abort()
      await wait(drainMs)
      await app.close()
    },
    [Symbol.asyncDispose]: () => app.close(),
  }
}

test('while replicas of a service are restarted one after the other, no request fails', async () => {
  await using fixture = await openBalanced()
  const { gateway, balancer, token } = fixture
  const drainMs = 4_500
  await using stack = new AsyncDisposableStack()
  const replicas = await Promise.all([openReplica(drainMs), openReplica(drainMs)])
  for (const replica of replicas) stack.use(replica)
  const ports = replicas.map(({ port }) => port)
  balancer.setTargets(ports)

  let going = true
  const statuses: number[] = []
  // Without a key. Some come often, and some so seldom that they meet connections which were idle for long.
  const client = async (everyMs: number): Promise<void> => {
    while (going) {
      statuses.push((await gateway.call(payments, { method: 'POST', token, body: '{}' })).status)
      await wait(everyMs)
    }
  }
  const clients = [5, 5, 20, 50, 100, 700, 1_100].map(client)
  for (const [index, replica] of replicas.entries()) {
    const added = stack.use(await openReplica(drainMs))
    const stopped = replica.stop()
    // Like a Kubernetes Service: the balancer learns of it two seconds later.
    await wait(2_000)
    ports[index] = added.port
    balancer.setTargets(ports)
    await stopped
  }
  await wait(300)
  going = false
  await Promise.all(clients)
  expect(statuses.length).toBeGreaterThan(200)
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('a request without a key that finds nobody listening is sent once somebody does', async () => {
  await using gateway = await openGateway()
  gateway.upstreams.registry.sites.set(site.slug, site)
  const token = await gateway.token('demo')
  const create = () => gateway.call(payments, { method: 'POST', token, body: '{}' })
  expect((await create()).status).toBe(200)
  await gateway.upstreams.payments.stop()
  const waiting = Promise.all(Array.from({ length: 5 }, create))
  await wait(1_000)
  await gateway.upstreams.payments.start()
  expect((await waiting).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  // Each arrived once: none of them was sent before.
  expect(gateway.upstreams.payments.requests).toHaveLength(6)
})

test('requests to a service that has been gone for some seconds fail at once, and work when it is back', async () => {
  await using gateway = await openGateway()
  gateway.upstreams.registry.sites.set(site.slug, site)
  const token = await gateway.token('demo')
  const create = () => gateway.call(payments, { method: 'POST', token, body: '{}' })
  await gateway.upstreams.payments.stop()
  expect(await create()).toMatchObject({ status: 503, json: { code: 'service_unavailable' } })
  const began = performance.now()
  expect((await create()).status).toBe(503)
  expect(performance.now() - began).toBeLessThan(500)
  await gateway.upstreams.payments.start()
  expect((await create()).status).toBe(200)
})
