import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually, freePort, openTcpProxy } from '@frontdesk/testing'
import { Agent, request } from 'undici'
import { describe, expect, test } from 'vitest'
import { openGateway, site, type Gateway } from './gateway-fixture.ts'

/** Runs a second replica of a gateway as a process, as in production. */
async function spawnReplica(gateway: Gateway, env: Record<string, string>) {
  const { folder, keysOf, upstreams, publicUrl } = gateway
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      FRONTDESK_MODE: 'development',
      PORT: String(await freePort()),
      PUBLIC_URL: publicUrl,
      NATS_URL: 'nats://127.0.0.1:1',
      REGISTRY_URL: upstreams.registry.url,
      ACCOUNTS_URL: upstreams.accounts.url,
      PAYMENTS_URL: upstreams.payments.url,
      WEBHOOK_DELIVERY_URL: upstreams['webhook-delivery'].url,
      ...keysOf('gateway'),
      CLIENTS_FILE: `${folder}/clients.json`,
      TOKEN_KEYS_FILE: `${folder}/token-keys.json`,
      MAX_EVENT_LOOP_DELAY: '60s',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  const ready = new Promise<string>((resolve) =>
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      if (line.includes('"msg":"ready"')) resolve((JSON.parse(line) as { url: string }).url)
    }),
  )
  const url = await Promise.race([ready, exited.then(() => '')])
  return {
    url,
    lines,
    exited,
    stop: () => child.kill('SIGTERM'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited
    },
  }
}

const payments = `/api/v1/sites/${site.slug}/payments`

test('a replica that gets SIGTERM serves every request until the balancer leaves it, then closes and exits 0', async () => {
  await using gateway = await openGateway()
  gateway.upstreams.registry.sites.set(site.slug, site)
  await using replica = await spawnReplica(gateway, { SHUTDOWN_DRAIN: '3s', SHUTDOWN_GRACE: '5s' })
  const portOf = (url: string) => Number(new URL(url).port)
  await using balancer = await openTcpProxy(portOf(replica.url))
  const base = balancer.through(gateway.url).replace(/\/$/, '')
  const authorization = `Bearer ${await gateway.token('demo')}`
  const headers = { authorization, 'content-type': 'application/json' }

  // Half of the clients keep their connections, for less than the drain when they are idle; half connect for each request.
  const keeping = new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 })
  const connecting = new Agent({ pipelining: 0 })
  const outcomes: unknown[] = []
  let going = true
  const client = async (dispatcher: Agent, everyMs: number): Promise<void> => {
    while (going) {
      const sent = request(base + payments, { method: 'POST', headers, body: '{}', dispatcher })
      const outcome = await sent.then(
        async ({ statusCode, body }) => (await body.dump(), statusCode),
        (error: unknown) => error,
      )
      outcomes.push(outcome)
      await wait(everyMs)
    }
  }
  const clients = [10, 20, 50, 300].flatMap((everyMs) => [client(keeping, everyMs), client(connecting, everyMs)])
  await eventually(() => expect(outcomes.length).toBeGreaterThan(50))
  const askedAt = performance.now()
  expect((await request(`${replica.url}/readyz`)).statusCode).toBe(200)
  const roundTripMs = performance.now() - askedAt

  replica.stop()
  const stoppedAt = performance.now()
  await eventually(
    async () => {
      const { statusCode, body } = await request(`${replica.url}/readyz`)
      expect(await body.json()).toMatchObject({ status: 'not ready', reason: 'stopping' })
      expect(statusCode).toBe(503)
    },
    { every: 5, within: 1_000 },
  )
  expect(performance.now() - stoppedAt).toBeLessThan(100 + 5 * roundTripMs)
  const servedBefore = outcomes.length
  await wait(1_000)
  expect(outcomes.length).toBeGreaterThan(servedBefore)
  balancer.setTargets([portOf(gateway.url)])
  expect(await replica.exited).toEqual([0, null])
  expect(performance.now() - stoppedAt).toBeGreaterThan(2_000)
  await wait(300)
  going = false
  await Promise.all(clients)
  expect(new Set(outcomes)).toEqual(new Set([200]))
  await Promise.all([keeping.destroy(), connecting.destroy()])
})

describe('the grace', () => {
  test('is a duration: a request under way at the end of the drain is answered within it', async () => {
    await using gateway = await openGateway()
    gateway.upstreams.registry.sites.set(site.slug, site)
    gateway.upstreams.payments.answer(async () => {
      await wait(1_000)
      return { paid: true }
    })
    await using replica = await spawnReplica(gateway, { SHUTDOWN_DRAIN: '0s', SHUTDOWN_GRACE: '25s' })
    const headers = { authorization: `Bearer ${await gateway.token('demo')}`, 'content-type': 'application/json' }
    const answer = request(replica.url + payments, { method: 'POST', headers, body: '{}' })
    await eventually(() => expect(gateway.upstreams.payments.requests).toHaveLength(1))
    replica.stop()
    const { statusCode, body } = await answer
    expect([statusCode, await body.json()]).toEqual([200, { paid: true }])
    expect(await replica.exited).toEqual([0, null])
  })

  test.each([
    ['SHUTDOWN_GRACE', '25'],
    ['SHUTDOWN_DRAIN', 'soon'],
  ])('%s=%s is refused at the start, with the reason', async (name, value) => {
    await using gateway = await openGateway()
    await using replica = await spawnReplica(gateway, { [name]: value })
    expect(await replica.exited).toEqual([1, null])
    expect(replica.lines.join('\n')).toContain(`${name} must be a duration with its unit, such as 500ms, 25s or 5m`)
  })
})
