import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { problem } from '@frontdesk/problems'
import { eventually } from '@frontdesk/testing'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { openGateway, secretOf, sha256, site, type Gateway } from './gateway-fixture.ts'

const payments = `/api/v1/sites/${site.slug}/payments`
const webhooks = '/providers/sandbox/webhooks/payments'
const many = <T>(count: number, one: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)))
const counted = (statuses: readonly number[], status: number) => statuses.filter((each) => each === status).length

test('random site keys of one address are 429 after a while and no longer asked about, and keys in use go on', async () => {
  await using gateway = await openGateway()
  const { registry } = gateway.upstreams
  registry.sites.set(site.slug, site)
  registry.keys.set(sha256('used'), site.slug)
  const by = async (siteKey: string) => (await gateway.call(payments, { siteKey })).status
  expect(await by('used')).toBe(200)
  const statuses = await many(250, (index) => by(`random-${index}`))
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(registry.lookups()).toBeLessThan(130)
  expect(await by('used')).toBe(200)
})

test('keys that registry knows use up nothing, however many sites share an address', async () => {
  await using gateway = await openGateway()
  const { registry } = gateway.upstreams
  const slugs = Array.from({ length: 150 }, (_, index) => `sShared${index}`)
  for (const slug of slugs) {
    registry.sites.set(slug, { ...site, slug })
    registry.keys.set(sha256(`key of ${slug}`), slug)
  }
  for (const slug of slugs) {
    const path = `/api/v1/sites/${slug}/payments`
    expect((await gateway.call(path, { siteKey: `key of ${slug}` })).status).toBe(200)
  }
})

test('forged webhooks of one address are 429 after a while, and a provider that signs right is never refused', async () => {
  await using gateway = await openGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  const { payments: upstream } = gateway.upstreams
  upstream.answer(({ headers }) => {
    if (headers['received-stripe-signature'] !== 'right') throw problem('provider_signature_invalid')
    return {}
  })
  const post = async (address: string, signature: string) => {
    const headers = { 'stripe-signature': signature, 'x-forwarded-for': address }
    return (await gateway.call(webhooks, { method: 'POST', headers, body: '{}' })).status
  }
  const forged = await many(250, () => post('198.51.100.7', 'forged'))
  expect(new Set(forged)).toEqual(new Set([400, 429]))
  expect(upstream.requests.length).toBeLessThan(130)
  // From another address, more than a stranger may fail, also beside forged ones of the same address.
  expect(await post('203.0.113.9', 'right')).toBe(200)
  await many(150, () => post('203.0.113.9', 'forged'))
  expect(counted(await many(150, () => post('203.0.113.9', 'right')), 200)).toBe(150)
})

test('one onboarding link gives a few links of the provider a minute, whatever follows its signed part', async () => {
  await using gateway = await openGateway()
  gateway.upstreams.accounts.answer(() => ({ url: 'https://provider.example/onboard' }))
  const answers = await many(60, (index) => gateway.call(`/onboarding/one.signature${index % 7}`))
  const statuses = answers.map(({ status }) => status)
  expect(counted(statuses, 302)).toBeLessThanOrEqual(6)
  expect(counted(statuses, 302)).toBeGreaterThan(2)
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.headers).toHaveProperty('retry-after')
  expect(refused?.text).toContain('This link was opened too often')
  expect((await gateway.call('/onboarding/another.signature')).status).toBe(302)
})

/** Sends requests whose bodies never end. */
async function openSlowBodies(gateway: Gateway, path: string, count: number) {
  const { port } = new URL(gateway.url)
  const sockets = await many(count, async (): Promise<Socket> => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`)
    return socket
  })
  return { [Symbol.dispose]: () => void sockets.map((socket) => socket.destroy()) }
}

test.for([webhooks, '/oauth2/token'])(
  'bodies of %s that never end take the place of no other request',
  async (path) => {
    await using gateway = await openGateway({ env: { MAX_IN_FLIGHT: '3', MAX_WEBHOOKS_IN_FLIGHT: '3' } })
    gateway.upstreams.payments.answer(() => ({}))
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const grant = `grant_type=client_credentials&client_id=demo&client_secret=${secretOf('demo')}`
    using _slow = await openSlowBodies(gateway, path, 10)
    await eventually(async () => {
      const metrics = await (await request(gateway.metricsUrl)).body.text()
      expect(metrics).toContain('gateway_requests_in_flight{source="arriving"} 10')
    })
    expect((await gateway.call('/oauth2/token', { method: 'POST', headers: form, body: grant })).status).toBe(200)
    expect((await gateway.call(webhooks, { method: 'POST', body: '{}' })).status).toBe(200)
    expect((await gateway.call('/')).status).toBe(200)
  },
)

test('one address has at most 32 bodies on their way that prove nothing yet, and others are let in', async () => {
  await using gateway = await openGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  gateway.upstreams.payments.answer(() => ({}))
  using _slow = await openSlowBodies(gateway, webhooks, 40)
  const post = async (headers: Record<string, string>) =>
    (await gateway.call(webhooks, { method: 'POST', headers, body: '{}' })).status
  await eventually(async () => expect(await post({})).toBe(429))
  expect(await post({ 'x-forwarded-for': '198.51.100.7' })).toBe(200)
})

test('a body of the token endpoint has at most 16 KiB', async () => {
  await using gateway = await openGateway()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = `grant_type=${'x'.repeat(16 * 1024)}`
  expect((await gateway.call('/oauth2/token', { method: 'POST', headers, body })).status).toBe(413)
})
