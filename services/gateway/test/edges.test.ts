import { problem } from '@frontdesk/problems'
import { request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openGateway, site, type Gateway } from './gateway-fixture.ts'

let gateway: Gateway
beforeAll(async () => void (gateway = await openGateway()))
afterAll(() => gateway[Symbol.asyncDispose]())
afterEach(() => {
  for (const upstream of Object.values(gateway.upstreams)) upstream.answer(undefined)
})

describe('webhooks of payment providers', () => {
  const headers = { 'stripe-signature': 't=1,v1=abc', 'content-type': 'application/json; charset=utf-8' }

  test.for([
    ['/providers/sandbox/webhooks/payments', 'payments', '/internal/providers/Sandbox/webhooks/payments'],
    ['/providers/stripe/webhooks/accounts', 'accounts', '/internal/providers/Stripe/webhooks/accounts'],
  ] as const)('%s goes to %s with the exact bytes and the signature', async ([path, service, internal]) => {
    gateway.upstreams[service].answer(() => ({}))
    const body = '{ "id":  "evt_1" }\n'
    const answer = await gateway.call(path, { method: 'POST', headers, body })
    expect(answer).toMatchObject({ status: 200, json: {} })
    const arrived = gateway.upstreams[service].requests.at(-1)
    expect(arrived).toMatchObject({
      method: 'POST',
      url: internal,
      body,
      headers: { 'received-stripe-signature': 't=1,v1=abc', 'stripe-signature': 't=1,v1=abc' },
    })
    expect(arrived?.caller).toMatchObject({ service: 'gateway', principal: { id: 'service:gateway' } })
  })

  test('every header of a provider goes along under a name of its own, and none takes the place of ours', async () => {
    gateway.upstreams.payments.answer(() => ({}))
    const own = { 'x-signature-v2': 'abc', authorization: 'Basic provider', traceparent: 'theirs' }
    await gateway.call('/providers/sandbox/webhooks/payments', {
      method: 'POST',
      headers: { ...headers, ...own },
      body: '{}',
    })
    const arrived = gateway.upstreams.payments.requests.at(-1)
    for (const [name, value] of Object.entries(own)) expect(arrived?.headers[`received-${name}`]).toBe(value)
    expect(arrived?.headers).not.toHaveProperty('x-signature-v2')
    expect(arrived?.headers.authorization).toMatch(/^Bearer /)
    expect(arrived?.caller.service).toBe('gateway')
  })

  test('the provider gets the reply that its adapter asks for', async () => {
    gateway.upstreams.payments.answer(() => ({
      reply: { contentType: 'text/plain; charset=utf-8', body: '[accepted]' },
    }))
    const answer = await request(`${gateway.url}/providers/sandbox/webhooks/payments`, {
      method: 'POST',
      headers,
      body: '{}',
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('text/plain')
    expect(await answer.body.text()).toBe('[accepted]')
  })

  test('the provider gets a refusal, or 503 with Retry-After to send the webhook again', async () => {
    const post = () => gateway.call('/providers/sandbox/webhooks/payments', { method: 'POST', headers, body: '{}' })
    gateway.upstreams.payments.answer(() => {
      throw problem('provider_signature_invalid')
    })
    expect(await post()).toMatchObject({ status: 400, json: { code: 'provider_signature_invalid' } })
    await gateway.upstreams.payments.stop()
    expect(await post()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    await gateway.upstreams.payments.start()
  })

  test('an unknown provider gets 404', async () => {
    const answer = await gateway.call('/providers/other/webhooks/payments', { method: 'POST', headers, body: '{}' })
    expect(answer).toMatchObject({ status: 404, json: { code: 'route_not_found' } })
    expect((await gateway.call('/providers/stripe/webhooks/payments')).status).toBe(405)
  })
})

describe('operators and tools', () => {
  test('the gateway is alive and ready without NATS', async () => {
    expect(await gateway.call('/livez')).toMatchObject({ status: 200, json: { status: 'alive' } })
    const { status, json } = await gateway.call('/readyz')
    // Nothing else: everybody can read it.
    expect([status, json]).toEqual([200, { service: 'gateway', status: 'ready', nats: 'disconnected' }])
  })

  test('metrics are served on a separate port', async () => {
    expect((await gateway.call('/metrics')).status).toBe(404)
    gateway.upstreams.registry.sites.set(site.slug, site)
    await gateway.call(`/api/v1/sites/${site.slug}/payments`, { token: await gateway.token('demo') })
    const metrics = await (await request(gateway.metricsUrl)).body.text()
    expect(metrics).toMatch(/gateway_logins_total\{outcome="issued"\} [1-9]/)
    expect(metrics).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/sites\/:SiteSlug\/payments",status="200"\} 1/,
    )
  })

  test('an https address is sent with Strict-Transport-Security', async () => {
    await using secure = await openGateway({ env: { PUBLIC_URL: 'https://api.example.com' } })
    const { headers, json } = await secure.call('/.well-known/oauth-authorization-server')
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
    expect(json.token_endpoint).toBe('https://api.example.com/oauth2/token')
  })

  test('every address on the first page exists', async () => {
    const { json } = await gateway.call('/')
    for (const url of Object.values<string>(json).filter((value) => value.startsWith('http'))) {
      expect([200, 401, 405]).toContain((await gateway.call(url.replace(gateway.publicUrl, ''))).status)
    }
  })
})
