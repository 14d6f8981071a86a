import { connect } from 'node:net'
import { operations, type Operation } from '@frontdesk/contracts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { problem } from '@frontdesk/problems'
import { openGateway, site, type Gateway } from './gateway-fixture.ts'

let gateway: Gateway
let token: string
beforeAll(async () => {
  gateway = await openGateway()
  gateway.upstreams.registry.sites.set(site.slug, site)
  token = await gateway.token('demo')
})
afterAll(() => gateway[Symbol.asyncDispose]())
beforeEach(() => {
  for (const upstream of Object.values(gateway.upstreams)) upstream.requests.length = 0
})
afterEach(() => {
  for (const upstream of Object.values(gateway.upstreams)) upstream.answer(undefined)
})

const payments = `/api/v1/sites/${site.slug}/payments`
const uuid = '019aa5c2-7d10-7c3e-9f41-2b7f0c9a1e55'
const post = (path: string, options: { body?: string | Buffer; headers?: Record<string, string> } = {}) =>
  gateway.call(path, { method: 'POST', token, ...options })

/** Sends bytes as they are and returns the reply. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(gateway.url)
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => (answer += chunk))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

describe('the operations table', () => {
  const forwarded = Object.entries<Operation>(operations).filter(([, { service }]) => service !== 'gateway')
  test.for(forwarded)('%s goes to its service', async ([, operation]) => {
    const params: Record<string, string> = { SiteSlug: site.slug, SiteIdentifier: 'PMS-7', Key: 'Primary' }
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? uuid)
    const body = operation.body === undefined ? {} : { body: '{"a":1}' }
    const answer = await gateway.call(path, { method: operation.method, token, ...body })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ service: operation.service, method: operation.method, url: path })
    expect(answer.json.body).toBe(body.body ?? '')
    expect(answer.json.caller).toMatchObject({ service: 'gateway', principal: { id: 'client:demo' } })
    expect(answer.json.caller.site).toEqual(operation.level === 'site' ? site : undefined)
  })

  test('the principal has the rights and the settings of its client', async () => {
    const { json } = await gateway.call(payments, { token })
    expect(json.caller.principal).toEqual({
      id: 'client:demo',
      scopes: expect.arrayContaining(['payments:read']),
      practiceManagementSystems: ['OpenDental'],
      webhookUrl: 'https://demo.example/hooks',
      eventSource: 'https://demo.example/',
      refundsReturnFee: false,
    })
    const other = await gateway.call(payments, { token: await gateway.token('reader') })
    expect(other.json.caller.principal).not.toHaveProperty('refundsReturnFee')
  })

  test('requests of the same caller and site to one service share an internal token; another service gets another', async () => {
    await gateway.call(payments, { token })
    await gateway.call(payments, { token: await gateway.token('demo') })
    await gateway.call(`/api/v1/sites/${site.slug}/payment-provider-accounts`, { token })
    const [first, second] = gateway.upstreams.payments.requests.map(({ headers }) => headers.authorization)
    expect(first).toBe(second)
    expect(gateway.upstreams.accounts.requests[0]?.headers.authorization).not.toBe(first)
  })
})

describe('a forwarded request', () => {
  test('keeps its query exactly, and has its parameters encoded again', async () => {
    const query = '?pageSize=2&Sites=sAbc&Sites=sDef&x=%2F%C3%A9+'
    expect((await gateway.call(`/api/v1/sites${query}`, { token })).json.url).toBe(`/api/v1/sites${query}`)
    const odd = await gateway.call('/api/v1/management/sites/a%2Fb%3Fc%23d/identity', { token })
    expect(odd.json.url).toBe('/api/v1/management/sites/a%2Fb%3Fc%23d/identity')
  })

  test('keeps the bytes of its body, even if they are not valid JSON', async () => {
    const body = Buffer.from('{ "a" : 1e400, "a": "\\u0000",  broken é')
    expect((await post(payments, { body })).json.body).toBe(body.toString('utf8'))
  })

  test('loses its content type if its body is empty', async () => {
    const { json } = await post(`${payments}/${uuid}/cancel`, {
      headers: { 'content-type': 'application/json' },
      body: '',
    })
    expect(json.headers).not.toHaveProperty('content-type')
    expect(json.body).toBe('')
  })

  test('loses credentials, connection headers and headers that look internal', async () => {
    const { json } = await post(payments, {
      body: '{}',
      headers: {
        'x-internal-principal': 'client:root',
        'x-forwarded-for': '10.0.0.1',
        'x-client-address': '10.0.0.1',
        'x-site-api-key': 'secret',
        cookie: 'a=b',
        te: 'trailers',
        'idempotency-key': '"k1"',
        'x-practice-management-software': 'OpenDental',
        'x-request-id': 'mine-1',
      },
    })
    const kept = ['authorization', 'connection', 'content-digest', 'content-length', 'content-type', 'host']
    const signed = ['idempotency-key', 'signature', 'signature-input', 'traceparent', 'x-client-address']
    expect(Object.keys(json.headers).toSorted()).toEqual([
      ...kept,
      ...signed,
      'x-practice-management-software',
      'x-request-id',
    ])
    expect(json.headers['x-client-address']).toBe('127.0.0.1')
    expect(json.headers).toMatchObject({ 'idempotency-key': '"k1"', 'x-request-id': 'mine-1' })
    expect(json.headers.authorization).not.toContain(token)
  })

  test('continues its trace, and gets a request id if it has none', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c'
    const traced = await gateway.call(payments, { token, headers: { traceparent: `00-${trace}-b7ad6b7169203331-01` } })
    expect(traced.json.headers.traceparent).toMatch(new RegExp(`^00-${trace}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`))
    const plain = await gateway.call(payments, { token, headers: { 'x-request-id': 'not one' } })
    expect(plain.json.headers.traceparent).toContain(plain.json.headers['x-request-id'])
    expect(plain.headers['x-request-id']).toBe(plain.json.headers['x-request-id'])
  })
})

describe('a returned answer', () => {
  test('has the status, headers and bytes of the service, without the connection headers', async () => {
    gateway.upstreams.payments.answer((_request, reply) =>
      reply
        .code(201)
        .headers({
          'cache-control': 'no-store',
          'idempotency-replayed': 'true',
          server: 'internal/1',
          connection: 'x-hop',
          'x-hop': '1',
        })
        .header('content-type', 'application/json; charset=utf-8')
        .send('{ "Amount": 12 }'),
    )
    const answer = await post(payments, { body: '{}' })
    expect(answer).toMatchObject({ status: 201, text: '{ "Amount": 12 }' })
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'idempotency-replayed': 'true',
      'x-content-type-options': 'nosniff',
    })
    expect(answer.headers).not.toHaveProperty('server')
    expect(answer.headers).not.toHaveProperty('x-hop')
    // For https only.
    expect(answer.headers).not.toHaveProperty('strict-transport-security')
  })

  test('keeps a problem of the service, with its Retry-After', async () => {
    gateway.upstreams.payments.answer(() => {
      throw problem('provider_unavailable', { retryAfter: 7 })
    })
    const answer = await post(payments, { body: '{}' })
    expect(answer).toMatchObject({ status: 503, json: { code: 'provider_unavailable' } })
    expect(answer.headers['retry-after']).toBe('7')
  })

  test('never shows an error that is not one of our problems', async () => {
    gateway.upstreams.payments.answer((_request, reply) => reply.code(500).send({ stack: 'at secret.ts:1' }))
    const failed = await gateway.call(payments, { token })
    expect(failed).toMatchObject({ status: 502, json: { code: 'upstream_failed', instance: payments } })
    expect(failed.text).not.toContain('secret')
    gateway.upstreams.payments.answer(() => {
      throw problem('unauthorized')
    })
    expect((await gateway.call(payments, { token })).status).toBe(502)
  })

  test('has no body if the request was HEAD, and is otherwise that of GET', async () => {
    const answer = await gateway.call(payments, { method: 'HEAD', token })
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(gateway.upstreams.payments.requests[0]?.method).toBe('GET')
  })
})

describe('a service that does not answer', () => {
  test('gets its requests answered 503 with Retry-After, and other services do not', async () => {
    await gateway.upstreams.accounts.stop()
    const answer = await gateway.call(`/api/v1/sites/${site.slug}/payment-provider-accounts`, { token })
    expect(answer).toMatchObject({ status: 503, json: { code: 'service_unavailable' } })
    expect(answer.headers['retry-after']).toBe('1')
    expect((await gateway.call(payments, { token })).status).toBe(200)
    await gateway.upstreams.accounts.start()
    expect((await gateway.call(`/api/v1/sites/${site.slug}/payment-provider-accounts`, { token })).status).toBe(200)
  })

  test('gets a request once more after a broken connection, if that does no harm', async () => {
    const breakOnce = () => {
      let broken = false
      gateway.upstreams.payments.answer((_request, reply) => {
        if (broken) return {}
        broken = true
        reply.raw.destroy()
        return reply.hijack()
      })
    }
    breakOnce()
    expect((await gateway.call(payments, { token })).status).toBe(200)
    breakOnce()
    expect((await post(payments, { body: '{}', headers: { 'idempotency-key': 'k1' } })).status).toBe(200)
    breakOnce()
    expect((await post(payments, { body: '{}' })).status).toBe(503)
    expect(gateway.upstreams.payments.requests).toHaveLength(5)
  })

  test('gets its requests answered 504 at the deadline of the operation if it hangs', async () => {
    gateway.upstreams.payments.answer((_request, reply) => reply.hijack())
    const began = performance.now()
    const answer = await gateway.call(payments, { token })
    expect(answer).toMatchObject({ status: 504, json: { code: 'deadline_exceeded' } })
    expect(performance.now() - began).toBeGreaterThan(4_900)
    expect(performance.now() - began).toBeLessThan(7_000)
  })
})

describe('refused requests', () => {
  test('an unknown address is 404, under /api only for authenticated callers', async () => {
    expect(await gateway.call('/nowhere')).toMatchObject({ status: 404, json: { code: 'route_not_found' } })
    expect(await gateway.call('/internal/sites/sAbc1234567x', { token })).toMatchObject({
      status: 404,
      json: { code: 'route_not_found' },
    })
    expect((await gateway.call('/api/v1/nowhere')).status).toBe(401)
    expect(await gateway.call('/api/v1/nowhere', { token })).toMatchObject({
      status: 404,
      json: { code: 'route_not_found' },
    })
  })

  test('a known address with another method is 405 with Allow', async () => {
    expect((await gateway.call(payments, { method: 'PUT' })).status).toBe(401)
    const answer = await gateway.call(payments, { method: 'PUT', token })
    expect(answer).toMatchObject({
      status: 405,
      json: { code: 'method_not_allowed' },
      headers: { allow: 'GET, HEAD, POST' },
    })
    expect((await gateway.call(payments, { method: 'OPTIONS', token })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    )
  })

  test('a body over 256 KiB is 413, and is not forwarded', async () => {
    expect((await post(payments, { body: `"${'a'.repeat(256 * 1024 - 2)}"` })).status).toBe(200)
    const answer = await post(payments, { body: `"${'a'.repeat(256 * 1024 - 1)}"` })
    expect(answer).toMatchObject({ status: 413, json: { code: 'body_too_large' } })
    expect(gateway.upstreams.payments.requests).toHaveLength(1)
  })

  test('a body that is not JSON is 415, and a client that does not accept JSON gets 406', async () => {
    const text = { 'content-type': 'text/plain' }
    expect(await post(payments, { body: 'a', headers: text })).toMatchObject({
      status: 415,
      json: { code: 'media_type_unsupported' },
    })
    expect(await gateway.call(payments, { token, headers: { accept: 'text/html' } })).toMatchObject({
      status: 406,
      json: { code: 'not_acceptable' },
    })
    expect(gateway.upstreams.payments.requests).toHaveLength(0)
  })

  test('an address over 32 KiB is 414 and headers over 16 KiB are 431, both with a problem', async () => {
    expect(await gateway.call(`${payments}?a=${'a'.repeat(33_000)}`, { token })).toMatchObject({
      status: 414,
      json: { code: 'uri_too_long' },
    })
    const tooLong = await raw(`GET /api?a=${'a'.repeat(60_000)} HTTP/1.1\r\nhost: a\r\n\r\n`)
    expect(tooLong).toMatch(/^HTTP\/1\.1 414 [^]*application\/problem\+json[^]*"uri_too_long"/)
    const tooLarge = await raw(`GET / HTTP/1.1\r\nhost: a\r\na: ${'a'.repeat(60_000)}\r\n\r\n`)
    expect(tooLarge).toMatch(/^HTTP\/1\.1 431 [^]*application\/problem\+json[^]*"headers_too_large"/)
  })

  test('a message with two lengths, or one that is not HTTP, is refused and its connection closed', async () => {
    const head = `POST ${payments} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`
    for (const bytes of [
      `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      `${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
      `${head}a b: c\r\n\r\n`,
      'nonsense\r\n\r\n',
    ]) {
      expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 400 [^]*"malformed_request"/)
    }
    expect(gateway.upstreams.payments.requests).toHaveLength(0)
  })

  test('an address with a host, with bytes that are not UTF-8 or with dots does not reach another path', async () => {
    const line = (target: string) =>
      `GET ${target} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`
    expect(await raw(line(`http://evil.example${payments}`))).toMatch(/^HTTP\/1\.1 200/)
    expect(gateway.upstreams.payments.requests[0]?.url).toBe(payments)
    expect(await raw(line('/api/v1/sites/%ff/payments'))).toMatch(/^HTTP\/1\.1 400/)
    expect(await raw(line('/api/v1/sites/../../internal/sites/a'))).toMatch(/^HTTP\/1\.1 404/)
    expect(await raw(line(`/api/v1/sites/${site.slug}%2f..%2fother/payments`))).toMatch(/^HTTP\/1\.1 400/)
  })
})
