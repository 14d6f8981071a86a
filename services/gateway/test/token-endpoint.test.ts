import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '@frontdesk/testing'
import { createLocalJWKSet, jwtVerify, type JWK } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { clients, openGateway, secretOf, signingKey, type Gateway } from './gateway-fixture.ts'

let gateway: Gateway
beforeAll(async () => void (gateway = await openGateway()))
afterAll(() => gateway[Symbol.asyncDispose]())

const insecure = { [oauth.allowInsecureRequests]: true }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
const ask = (body: string, headers: Record<string, string> = {}) =>
  gateway.call('/oauth2/token', { method: 'POST', headers: { ...form, ...headers }, body })

async function discovered(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(gateway.publicUrl)
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  return oauth.processDiscoveryResponse(issuer, response)
}

describe('independent clients', () => {
  test.for(['ClientSecretBasic', 'ClientSecretPost'] as const)(
    'oauth4webapi gets a token by %s and validates it by RFC 9068',
    async (method) => {
      const server = await discovered()
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        { client_id: 'demo' },
        oauth[method](secretOf('demo')),
        { scope: 'payments:read sites:read' },
        insecure,
      )
      const result = await oauth.processClientCredentialsResponse(server, { client_id: 'demo' }, response)
      expect(result).toMatchObject({ token_type: 'bearer', expires_in: 900, scope: 'payments:read sites:read' })

      const request = new Request(`${gateway.publicUrl}/api`, {
        headers: { authorization: `Bearer ${result.access_token}` },
      })
      const claims = await oauth.validateJwtAccessToken(server, request, gateway.publicUrl, insecure)
      expect(claims).toMatchObject({
        iss: gateway.publicUrl,
        aud: gateway.publicUrl,
        sub: 'demo',
        client_id: 'demo',
        scope: 'payments:read sites:read',
        practice_management_software: ['OpenDental'],
      })
      expect(claims.exp - claims.iat).toBe(900)
    },
  )

  test('openid-client discovers the server and gets a token', async () => {
    const config = await openid.discovery(new URL(gateway.publicUrl), 'reader', secretOf('reader'), undefined, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    })
    const tokens = await openid.clientCredentialsGrant(config)
    expect(tokens.scope).toBe('sites:read payments:read')
    expect((await gateway.call('/api/v1/sites', { token: tokens.access_token })).status).toBe(200)
  })
})

describe('answers', () => {
  test('a token is never cached', async () => {
    const { headers } = await ask('grant_type=client_credentials', { authorization: basic('demo', secretOf('demo')) })
    expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    expect(headers['content-type']).toContain('application/json')
  })

  test('each token has its own id and names its organisations', async () => {
    const tokens = await Promise.all([gateway.token('owner'), gateway.token('owner')])
    const [one, other] = tokens.map((token) =>
      JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()),
    )
    expect(one.jti).not.toBe(other.jti)
    expect(one.organisations).toEqual(['oOwner1234567'])
  })

  test('wrong credentials are refused as RFC 6749 defines', async () => {
    const { status, headers, json } = await ask('grant_type=client_credentials', {
      authorization: basic('demo', 'wrong'),
    })
    expect(status).toBe(401)
    expect(json).toEqual({ error: 'invalid_client', error_description: expect.any(String) })
    expect(headers['www-authenticate']).toMatch(/^Basic realm=/)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
  })

  test.for([
    ['', 'invalid_request'],
    ['grant_type=password', 'unsupported_grant_type'],
    ['grant_type=client_credentials&grant_type=client_credentials', 'invalid_request'],
    ['grant_type=client_credentials&scope=payments:read+no:such', 'invalid_scope'],
    ['grant_type=client_credentials&scope=payments:write', 'invalid_scope'],
    ['grant_type=client_credentials&resource=https://elsewhere.example', 'invalid_target'],
    [`grant_type=client_credentials&client_secret=${secretOf('reader')}`, 'invalid_request'],
  ])('"%s" is answered 400 %s', async ([body = '', error]) => {
    const answer = await ask(body, { authorization: basic('reader', secretOf('reader')) })
    expect(answer.status).toBe(400)
    expect(answer.json.error).toBe(error)
  })

  test('only a POST of a form is accepted', async () => {
    expect(await gateway.call('/oauth2/token')).toMatchObject({ status: 405, headers: { allow: 'POST' } })
    expect(await ask('{}', { 'content-type': 'application/json' })).toMatchObject({
      status: 400,
      json: { error: 'invalid_request' },
    })
    expect((await ask('a'.repeat(300_000))).status).toBe(413)
  })
})

describe('files that change', () => {
  test('clients are added, changed and removed without a restart, and a file that is not valid changes nothing', async () => {
    const newcomer = { ...clients[0], id: 'newcomer' }
    const demo = await gateway.token('demo')
    await gateway.replace('clients.json', { clients: [...clients, newcomer] })
    const login = async () =>
      (await ask('grant_type=client_credentials', { authorization: basic('newcomer', secretOf('demo')) })).status
    // Slowly: each earlier try is a failed login.
    await eventually(async () => expect(await login()).toBe(200), { every: 700 })

    await gateway.replace('clients.json', { clients: 'nonsense' })
    await new Promise((resolve) => setTimeout(resolve, 1_300))
    expect(await login()).toBe(200)

    const withoutSites = { ...clients[0], scopes: ['payments:read'] }
    await gateway.replace('clients.json', { clients: [withoutSites, ...clients.slice(1)] })
    await eventually(async () => expect((await gateway.call('/api/v1/sites', { token: demo })).status).toBe(403))
    await gateway.replace('clients.json', { clients: clients.slice(1) })
    await eventually(async () => expect((await gateway.call('/api/v1/sites', { token: demo })).status).toBe(401))
    const told = () => gateway.upstreams['webhook-delivery'].told.at(-1)?.clients.map(({ id }) => id)
    await eventually(() => expect(told()).toContain('owner'))
    await eventually(() => expect(told(), 'webhook-delivery is told the clients that are left').not.toContain('demo'))
    await gateway.replace('clients.json', { clients })
    await eventually(async () => expect((await gateway.call('/api/v1/sites', { token: demo })).status).toBe(200))
  })

  test('a new key causes no refusal, and the tokens of a removed key are refused', async () => {
    const next = signingKey('access:3')
    const old = await gateway.token('demo')
    const published = async () => (await gateway.call('/.well-known/jwks.json')).json.keys as JWK[]
    await gateway.replace('token-keys.json', { keys: [next, ...gateway.tokenKeys] })
    await eventually(async () =>
      expect((await published()).map(({ kid }) => kid)).toEqual(['access:3', 'access:2', 'access:1']),
    )
    expect(JSON.stringify(await published())).not.toContain('"d"')

    const fresh = await gateway.token('demo')
    const keys = createLocalJWKSet({ keys: await published() })
    expect((await jwtVerify(fresh, keys)).protectedHeader.kid).toBe('access:3')
    for (const token of [old, fresh]) expect((await gateway.call('/api/v1/sites', { token })).status).toBe(200)

    await gateway.replace('token-keys.json', { keys: [next] })
    await eventually(async () => expect((await gateway.call('/api/v1/sites', { token: old })).status).toBe(401))
    expect((await gateway.call('/api/v1/sites', { token: fresh })).status).toBe(200)
  })
})

describe('failed logins', () => {
  const login = (id: string, secret: string) =>
    ask('grant_type=client_credentials', { authorization: basic(id, secret) })

  test('after ten wrong secrets in a minute from one address, wrong ones are 429, and the right one gets its token', async () => {
    for (let count = 0; count < 10; count++) expect((await login('stranger', `guess ${count}`)).status).toBe(401)
    const refused = await login('stranger', 'guess 10')
    expect(refused).toMatchObject({
      status: 429,
      json: { code: 'rate_limited', 'violated-policies': ['failed-logins'] },
    })
    expect(refused.headers).toMatchObject({ 'retry-after': '6', 'ratelimit-policy': '"failed-logins";q=10;w=60' })
    expect(refused.headers['cache-control']).toBe('no-store')
    for (const client of ['stranger', 'owner']) expect((await login(client, secretOf(client))).status).toBe(200)
  })

  test('an address that tries many client ids is limited as a whole, and right secrets from it are not', async () => {
    await using own = await openGateway()
    const tried = async (id: string, secret: string) => {
      const headers = { ...form, authorization: basic(id, secret) }
      return (await own.call('/oauth2/token', { method: 'POST', headers, body: 'grant_type=client_credentials' }))
        .status
    }
    const statuses = await Promise.all(Array.from({ length: 150 }, (_, index) => tried(`made-up-${index}`, 'guess')))
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(140)
    expect(statuses).toContain(429)
    expect(await tried('demo', secretOf('demo'))).toBe(200)
  })

  test('the address is that of the caller behind a trusted proxy, and otherwise that of the proxy', async () => {
    await using behindProxy = await openGateway({ env: { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' } })
    const login = async (at: Gateway, address: string) => {
      const headers = { ...form, authorization: basic('owner', 'wrong'), 'x-forwarded-for': address }
      return (await at.call('/oauth2/token', { method: 'POST', headers, body: 'grant_type=client_credentials' })).status
    }
    for (let count = 0; count < 10; count++) await login(behindProxy, '198.51.100.7, 10.1.2.3')
    expect(await login(behindProxy, '198.51.100.7')).toBe(429)
    expect(await login(behindProxy, '198.51.100.8')).toBe(401)
    for (let count = 0; count < 10; count++) await login(gateway, `198.51.100.${count}`)
    expect(await login(gateway, '198.51.100.99')).toBe(429)
  })
})
