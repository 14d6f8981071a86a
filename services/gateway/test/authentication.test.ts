import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { siteKeyIdOf } from '@frontdesk/service/tokens'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { importJWK, SignJWT } from 'jose'
import { openGateway, sha256, signingKey, site, type Gateway } from './gateway-fixture.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
  gateway.upstreams.registry.sites.set(site.slug, site)
})
afterAll(() => gateway[Symbol.asyncDispose]())

const payments = `/api/v1/sites/${site.slug}/payments`

/** Makes a token as our own, but for what is given. */
async function forged({ key = gateway.tokenKeys[0], header = {}, claims = {} }: Forgery = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const payload = {
    iss: gateway.publicUrl,
    aud: gateway.publicUrl,
    sub: 'demo',
    client_id: 'demo',
    scope: 'sites:read payments:read',
    practice_management_software: ['OpenDental'],
    jti: 'one',
    iat: now,
    exp: now + 900,
    ...claims,
  }
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: key?.kid ?? '', ...header })
    .sign(await importJWK({ ...key }, 'EdDSA'))
}
interface Forgery {
  key?: ReturnType<typeof signingKey> | undefined
  header?: object
  claims?: object
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const seconds = () => Math.floor(Date.now() / 1000)

describe('bearer tokens', () => {
  test('a token signed with any published key is accepted', async () => {
    for (const key of gateway.tokenKeys) {
      expect((await gateway.call('/api/v1/sites', { token: await forged({ key }) })).status).toBe(200)
    }
  })

  test('two Authorization headers are refused, whichever is right, also where tokens are issued', async () => {
    const right = `Authorization: Bearer ${await forged()}`
    const wrong = 'Authorization: Bearer wrong'
    const { port } = new URL(gateway.url)
    for (const lines of [
      [right, wrong],
      [wrong, right],
      [right, right],
      [right, 'authorization: Basic ZGVtbzp4'],
    ]) {
      for (const [method, path] of [
        ['GET', '/api/v1/sites'],
        ['GET', '/api/v1/unknown'],
        ['POST', '/oauth2/token'],
      ]) {
        const socket = connect(Number(port), '127.0.0.1')
        socket.end(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
        const answer = await text(socket)
        expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*more than one Authorization header/)
      }
    }
  })

  test('the case of the scheme does not matter', async () => {
    const headers = { authorization: `bEARER ${await forged()}` }
    expect((await gateway.call('/api/v1/sites', { headers })).status).toBe(200)
  })

  const faults: [string, () => Promise<string> | string][] = [
    [
      'with changed claims',
      async () => {
        const [header, , signature] = (await forged()).split('.')
        return `${header}.${encoded({ ...JSON.parse(Buffer.from((await forged()).split('.')[1] ?? '', 'base64url').toString()), sub: 'root' })}.${signature}`
      },
    ],
    ['with a changed signature', async () => `${(await forged()).slice(0, -4)}AAAA`],
    ['that has expired', () => forged({ claims: { iat: seconds() - 1000, exp: seconds() - 60 } })],
    ['that is not valid yet', () => forged({ claims: { nbf: seconds() + 60 } })],
    ['without an expiry', () => forged({ claims: { exp: undefined } })],
    ['from another issuer', () => forged({ claims: { iss: 'https://elsewhere.example' } })],
    ['for another audience', () => forged({ claims: { aud: 'https://elsewhere.example' } })],
    ['of another type', () => forged({ header: { typ: 'JWT' } })],
    ['that is an internal one', () => forged({ header: { typ: 'internal+jwt' } })],
    ['with an unknown kid', () => forged({ header: { kid: 'access:99' } })],
    ['signed with another key under our kid', () => forged({ key: signingKey('access:2') })],
    ['of an unknown client', () => forged({ claims: { client_id: 'nobody' } })],
    [
      'unsigned (alg none)',
      async () => `${encoded({ alg: 'none', typ: 'at+jwt' })}.${(await forged()).split('.')[1]}.`,
    ],
    [
      'signed with our public key as an HMAC secret',
      async () => {
        const { x } = gateway.tokenKeys[0]!
        const head = new SignJWT({ iss: gateway.publicUrl, client_id: 'demo' }).setProtectedHeader({
          alg: 'HS256',
          typ: 'at+jwt',
          kid: 'access:2',
        })
        return head.sign(Buffer.from(x, 'base64url'))
      },
    ],
    ['that is not a JWT', () => 'nonsense'],
  ]
  test.for(faults)('a token %s is refused', async ([, make]) => {
    const { status, headers, json } = await gateway.call('/api/v1/sites', { token: await make() })
    expect(status).toBe(401)
    expect(headers['content-type']).toContain('application/problem+json')
    expect(headers['www-authenticate']).toMatch(
      /^Bearer realm="frontdesk", error="invalid_token", error_description="[^"]+"$/,
    )
    expect(json).toMatchObject({
      code: 'unauthorized',
      status: 401,
      instance: '/api/v1/sites',
      traceId: expect.any(String),
    })
  })

  test('a request without a credential, or with another kind of credential, gets a challenge', async () => {
    const withoutToken: Record<string, string>[] = [
      {},
      { authorization: 'Basic ZGVtbzpkZW1v' },
      { authorization: 'Bearer' },
    ]
    for (const headers of withoutToken) {
      const answer = await gateway.call('/api/v1/sites', { headers })
      expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer realm="frontdesk"' } })
    }
  })

  test('a token has the scopes that it was issued for, and no others', async () => {
    const token = await gateway.token('demo', 'payments:read')
    expect((await gateway.call(payments, { token })).status).toBe(200)
    const refused = await gateway.call(payments, { method: 'POST', token, body: '{}' })
    expect(refused).toMatchObject({ status: 403, json: { code: 'scope_missing' } })
    expect(refused.headers['www-authenticate']).toContain('error="insufficient_scope", scope="payments:write"')
  })

  test('a scope that a token claims but its client does not have is not granted', async () => {
    const token = await forged({
      claims: { client_id: 'reader', sub: 'reader', scope: 'payments:write payments:read' },
    })
    expect((await gateway.call(payments, { method: 'POST', token, body: '{}' })).status).toBe(403)
    expect((await gateway.call(payments, { token })).status).toBe(200)
  })
})

describe('sites that a caller may not see', () => {
  test.for(['optical', 'stranger'])('are answered to the client %s like sites that do not exist', async (client) => {
    const token = await gateway.token(client)
    const hidden = await gateway.call(payments, { token })
    const absent = await gateway.call('/api/v1/sites/sDoesNotExist/payments', { token })
    expect(hidden.status).toBe(404)
    expect({ ...hidden.json, instance: '', traceId: '' }).toEqual({ ...absent.json, instance: '', traceId: '' })
  })

  test('a client of the owning organisation sees the site', async () => {
    expect((await gateway.call(payments, { token: await gateway.token('owner') })).status).toBe(200)
  })

  test('a missing scope is refused before the site is looked up', async () => {
    const token = await gateway.token('reader')
    const answer = await gateway.call('/api/v1/sites/sDoesNotExist/payments', { method: 'POST', token, body: '{}' })
    expect(answer.json.code).toBe('scope_missing')
  })

  test('text that is not a slug is malformed', async () => {
    const answer = await gateway.call('/api/v1/sites/x-1/payments', { token: await gateway.token('demo') })
    expect(answer).toMatchObject({
      status: 400,
      json: { code: 'malformed_request', errors: [{ pointer: '/path/SiteSlug' }] },
    })
  })
})

describe('site keys', () => {
  const other = { ...site, slug: 'sOther1234567', pmsSpecificId: 'PMS-8' }
  const primary = randomBytes(32).toString('base64url')
  const secondary = randomBytes(32).toString('base64url')
  beforeEach(() => {
    const { sites, keys } = gateway.upstreams.registry
    sites.set(other.slug, other)
    keys.set(sha256(primary), site.slug)
    keys.set(sha256(secondary), site.slug)
  })

  test('both keys of a site have the same principal, with every right on that site', async () => {
    for (const siteKey of [primary, secondary]) {
      const { status, json } = await gateway.call(payments, { siteKey })
      expect(status).toBe(200)
      expect(json.caller.principal).toMatchObject({
        id: `site:${site.slug}`,
        siteKeyId: siteKeyIdOf(sha256(siteKey)),
        practiceManagementSystems: ['OpenDental'],
      })
      expect(json.caller.principal.scopes).toEqual(
        expect.arrayContaining(['payments:read', 'payments:write', 'accounts:write', 'webhooks:write']),
      )
      expect(json.caller.principal.scopes).not.toContain('sites:manage')
      expect(json.caller.site).toEqual(site)
    }
  })

  test('a key gives no access to another site', async () => {
    const answer = await gateway.call(`/api/v1/sites/${other.slug}/payments`, { siteKey: primary })
    expect(answer).toMatchObject({ status: 404, json: { code: 'site_not_found' } })
  })

  test('a key is not accepted for the management of sites', async () => {
    for (const path of ['/api/v1/sites', `/api/v1/management/sites/${site.slug}/identity`]) {
      const answer = await gateway.call(path, { siteKey: primary })
      expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer realm="frontdesk"' } })
    }
  })

  test('an unknown key is refused', async () => {
    expect((await gateway.call(payments, { siteKey: 'guess' })).json.code).toBe('unauthorized')
    expect((await gateway.call(payments, { siteKey: '' })).status).toBe(401)
  })

  test('if a request has both, the bearer token counts', async () => {
    const answer = await gateway.call(payments, { siteKey: primary, token: await gateway.token('demo') })
    expect(answer.json.caller.principal.id).toBe('client:demo')
    expect((await gateway.call(payments, { siteKey: primary, token: 'nonsense' })).status).toBe(401)
  })
})
