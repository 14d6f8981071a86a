import { randomBytes } from 'node:crypto'
import { eventSubject, streams, type SiteAccess } from '@frontdesk/contracts'
import { openBus, ownedBy, provisionStreams, connectNats, type NatsSettings } from '@frontdesk/events'
import { eventually, throwAwayNats, type ThrowAwayNats } from '@frontdesk/testing'
import { pino } from 'pino'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { openGateway, sha256, site, type Gateway } from './gateway-fixture.ts'

const payments = (slug = site.slug) => `/api/v1/sites/${slug}/payments`
const management = `/api/v1/management/sites/${site.slug}`

/** Opens a gateway with one site, a key of that site and a client's token. */
async function openWithSite(options: { nats?: NatsSettings } = {}) {
  const gateway = await openGateway(options)
  const key = randomBytes(32).toString('base64url')
  const { registry } = gateway.upstreams
  registry.sites.set(site.slug, site)
  registry.keys.set(sha256(key), site.slug)
  return {
    gateway,
    registry,
    key,
    token: await gateway.token('demo'),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  }
}

describe('the cache of sites', () => {
  test('asks registry once for many requests, even simultaneous ones', async () => {
    await using fixture = await openWithSite()
    const { gateway, registry, token, key } = fixture
    const byToken = Array.from({ length: 20 }, () => gateway.call(payments(), { token }))
    const byKey = Array.from({ length: 20 }, () => gateway.call(payments(), { siteKey: key }))
    for (const { status } of await Promise.all([...byToken, ...byKey])) expect(status).toBe(200)
    expect(registry.lookups()).toBe(2)
  })

  test('forgets a site before the reply if it is deleted or changed, or its key rotated, through this replica', async () => {
    await using fixture = await openWithSite()
    const { gateway, registry, token, key } = fixture
    await gateway.call(payments(), { token })
    await gateway.call(payments(), { siteKey: key })

    registry.sites.set(site.slug, { ...site, status: 'Suspended' })
    await gateway.call(management, { method: 'PATCH', token, body: '{}' })
    expect((await gateway.call(payments(), { token })).json.caller.site.status).toBe('Suspended')

    // Also if the request names the site by its PMS-specific id.
    registry.keys.clear()
    await gateway.call('/api/v1/management/sites/PMS-7/keys/Primary/rotate', { method: 'POST', token })
    expect((await gateway.call(payments(), { siteKey: key })).status).toBe(401)

    registry.sites.clear()
    await gateway.call(management, { method: 'DELETE', token })
    expect(await gateway.call(payments(), { token })).toMatchObject({ status: 404, json: { code: 'site_not_found' } })
  })

  test('serves known sites without registry, and unknown ones are 503', async () => {
    await using fixture = await openWithSite()
    const { gateway, registry, token, key } = fixture
    await gateway.call(payments(), { token })
    await gateway.call(payments(), { siteKey: key })
    await registry.stop()
    expect((await gateway.call(payments(), { token })).status).toBe(200)
    expect((await gateway.call(payments(), { siteKey: key })).status).toBe(200)
    const unknown = await gateway.call(payments('sNotSeenBefore'), { token })
    expect(unknown).toMatchObject({ status: 503, json: { code: 'service_unavailable' } })
    expect(unknown.headers['retry-after']).toBe('1')
  })

  test('adds the name, system and organisations of the site to the request', async () => {
    await using fixture = await openWithSite()
    const { gateway, token } = fixture
    expect((await gateway.call(payments(), { token })).json.caller.site).toEqual(site)
  })
})

/** Publishes as registry does. */
async function publish(nats: ThrowAwayNats, type: 'site.updated' | 'site.deleted', slug: string): Promise<void> {
  await using bus = openBus({ settings: nats.settings('registry'), name: 'registry', log: pino({ level: 'silent' }) })
  const js = await bus.jetstream()
  await js.publish(eventSubject(type, 'registry', slug), '{}')
}

async function provisioned(nats: ThrowAwayNats): Promise<void> {
  const connection = await connectNats(nats.settings())
  await provisionStreams(connection, ownedBy('registry', { streams, consumers: [] }).streams, [])
  await connection.close()
}

async function untilFollowing(gateway: Gateway, followed = 1): Promise<void> {
  await eventually(
    async () => {
      const text = await (await request(gateway.metricsUrl)).body.text()
      expect(/^gateway_site_events_followed (\d)$/m.exec(text)?.[1]).toBe(String(followed))
    },
    { within: 15_000, every: 100 },
  )
}

describe('site events', () => {
  const status = async (gateway: Gateway, token: string) =>
    (await gateway.call(payments(), { token })).json.caller.site.status
  const suspended: SiteAccess = { ...site, status: 'Suspended' }

  test('reach a replica that did not forward the change', async () => {
    await using nats = await throwAwayNats()
    await provisioned(nats)
    await using fixture = await openWithSite({ nats: nats.settings('gateway') })
    const { gateway, registry, token } = fixture
    await untilFollowing(gateway)
    expect(await status(gateway, token)).toBe('Operational')

    registry.sites.set(site.slug, suspended)
    expect(await status(gateway, token)).toBe('Operational')
    await publish(nats, 'site.updated', site.slug)
    await eventually(async () => expect(await status(gateway, token)).toBe('Suspended'))

    registry.sites.clear()
    await publish(nats, 'site.deleted', site.slug)
    await eventually(async () => expect((await gateway.call(payments(), { token })).status).toBe(404))
  })

  test('cannot be heard while NATS refuses the login; the gateway serves, and /readyz says why', async () => {
    await using nats = await throwAwayNats()
    await using fixture = await openWithSite({ nats: { NATS_URL: nats.url } })
    const { gateway, token } = fixture
    await eventually(async () => {
      const { json } = await gateway.call('/readyz')
      expect(json).toMatchObject({ status: 'ready', nats: 'disconnected; NATS refuses the login' })
    })
    expect(await status(gateway, token)).toBe('Operational')
    await expect(openWithSite({ nats: { NATS_URL: 'nats://gateway:secret@nats.example' } })).rejects.toThrow(
      'NATS_URL has credentials',
    )
  })

  test('reach it while their stream is lost, too', async () => {
    await using nats = await throwAwayNats()
    await using fixture = await openWithSite({ nats: nats.settings('gateway') })
    const { gateway, registry, token } = fixture
    await untilFollowing(gateway)
    expect(await status(gateway, token)).toBe('Operational')
    registry.sites.set(site.slug, suspended)
    await expect(publish(nats, 'site.updated', site.slug)).rejects.toThrow()
    await eventually(async () => expect(await status(gateway, token)).toBe('Suspended'))
  })

  test('are followed if NATS starts after the gateway and after each outage, and changes in between are seen', async () => {
    await using nats = await throwAwayNats()
    await nats.stop()
    await using fixture = await openWithSite({ nats: nats.settings('gateway') })
    const { gateway, registry, token } = fixture
    expect(await status(gateway, token)).toBe('Operational')

    // NATS has no stream at first.
    await nats.start()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    registry.sites.set(site.slug, suspended)
    await provisioned(nats)
    await untilFollowing(gateway)
    await eventually(async () => expect(await status(gateway, token)).toBe('Suspended'))

    await nats.stop('SIGKILL')
    await untilFollowing(gateway, 0)
    expect(await status(gateway, token)).toBe('Suspended')
    // The gateway never reads the event of this change: it is published during the outage.
    registry.sites.set(site.slug, site)
    await nats.start()
    await eventually(async () => expect(await status(gateway, token)).toBe('Operational'), { within: 15_000 })
    await untilFollowing(gateway)
    registry.sites.set(site.slug, suspended)
    await publish(nats, 'site.updated', site.slug)
    await eventually(async () => expect(await status(gateway, token)).toBe('Suspended'))
  })
})
