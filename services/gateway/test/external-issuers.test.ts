import { generateKeyPairSync } from 'node:crypto'
import { eventually, openReceiver } from '@frontdesk/testing'
import { importJWK, SignJWT, type JWK } from 'jose'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { clients, openGateway, signingKey, type Gateway } from './gateway-fixture.ts'

const issuer = 'https://login.example'
const key = signingKey('external:1')
const seconds = () => Math.floor(Date.now() / 1000)
const publicOf = ({ kid, kty, crv, x, y, n, e, alg }: JWK) => ({ kid, kty, crv, x, y, n, e, alg })

interface Fixture extends AsyncDisposable {
  gateway: Gateway
  /** Returns the status of a request with a token. */
  status(token: string, path?: string): Promise<number>
  /** Makes the issuer publish these keys from now on. */
  publish(...keys: JWK[]): void
}

let shared: Fixture
beforeAll(async () => void (shared = await openWithIssuer()))
afterAll(() => shared[Symbol.asyncDispose]())
afterEach(() => void vi.useRealTimers())

/** Opens a gateway that accepts tokens of an issuer, with a client `partner` of that issuer. */
async function openWithIssuer(
  settings: { env?: Record<string, string>; issuerUrl?: string; entry?: object } = {},
): Promise<Fixture> {
  const { env = {}, issuerUrl = issuer, entry: more = {} } = settings
  await using stack = new AsyncDisposableStack()
  const keyServer = stack.use(await openReceiver())
  const publish = (...keys: JWK[]) =>
    keyServer.reply(() => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ keys: keys.map(publicOf) }),
    }))
  publish(key)
  const entry = {
    issuer: issuerUrl,
    jwksUri: `${keyServer.url}/keys`,
    audience: 'frontdesk',
    clientClaim: 'azp',
    ...more,
  }
  const partner = {
    id: 'partner',
    scopes: ['sites:read', 'payments:read'],
    practiceManagementSoftware: ['OpenDental'],
    rateLimit: 'unlimited',
    issuer: issuerUrl,
  }
  const gateway = stack.use(await openGateway({ issuers: [entry], env, clients: [...clients, partner] }))
  const opened = stack.move()
  return {
    gateway,
    publish,
    status: async (token, path = '/api/v1/sites') => (await gateway.call(path, { token })).status,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function tokenOf(claims: object = {}, header: object = {}, by: JWK = key): Promise<string> {
  const times = { iat: seconds(), exp: seconds() + 300 }
  return new SignJWT({ iss: issuer, aud: 'frontdesk', azp: 'partner', ...times, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: by.kid ?? '', ...header })
    .sign(await importJWK(by, by.alg))
}

test('a token of an external issuer is accepted for a client that names the issuer, with the rights of our file', async () => {
  await using fixture = await openWithIssuer()
  const { gateway, status } = fixture
  expect(await status(await tokenOf())).toBe(200)
  expect(await status(await tokenOf({ scope: 'openid sites:read' }))).toBe(200)
  const answer = await gateway.call('/api/v1/sites', { token: await tokenOf() })
  expect(answer.json.caller.principal).toMatchObject({ id: 'client:partner', scopes: ['sites:read', 'payments:read'] })
})

test.for<[string, object]>([
  ['none of ours in scope', { scope: 'openid profile' }],
  ['another one of ours in scope', { scope: 'openid payments:read' }],
  ['an empty scope', { scope: '' }],
  ['another one in scp as a string', { scp: 'payments:read' }],
  ['another one in scp as a list', { scp: ['payments:read'] }],
  ['an empty scp', { scp: [] }],
  ['scope and scp that have no scope in common', { scope: 'sites:read', scp: ['payments:read'] }],
])('a token with %s does not widen to the other scopes of its client: 403', async ([, claims]) => {
  expect(await shared.status(await tokenOf(claims))).toBe(403)
})

test('scp is read like scope, as text and as a list', async () => {
  for (const scp of ['sites:read openid', ['openid', 'sites:read']]) {
    expect(await shared.status(await tokenOf({ scp }))).toBe(200)
  }
})

test('an issuer may be given another token type and a longer life', async () => {
  await using fixture = await openWithIssuer({ entry: { tokenType: 'JWT', longestLifeSeconds: 7 * 86_400 } })
  const { status } = fixture
  expect(await status(await tokenOf({ exp: seconds() + 6 * 86_400 }, { typ: 'JWT' }))).toBe(200)
  expect(await status(await tokenOf({ exp: seconds() + 8 * 86_400 }, { typ: 'JWT' }))).toBe(401)
  expect(await status(await tokenOf())).toBe(401)
})

test.for<[string, object, object?]>([
  ['with its scopes as a list in scope', { scope: ['sites:read'] }],
  ['with scp as an object', { scp: { 'sites:read': true } }],
  ['with numbers in scp', { scp: ['sites:read', 1] }],
  ['of type JWT', {}, { typ: 'JWT' }],
  ['without a type', {}, { typ: undefined }],
  ['that lives for 50 years', { exp: seconds() + 50 * 365 * 86_400 }],
  ['that lives for 25 hours', { exp: seconds() + 25 * 3_600 }],
  ['from tomorrow', { iat: seconds() + 86_400, exp: seconds() + 86_700 }],
  ['without a time of issue', { iat: undefined }],
  ['of a client that does not name the issuer', { azp: 'demo' }],
  ['of an unknown client', { azp: 'nobody' }],
  ['without a client', { azp: undefined }],
  ['for another audience', { aud: 'another' }],
  ['from an issuer that is not in the file', { iss: 'https://other.example' }],
  ['that has expired', { exp: seconds() - 60 }],
  ['without an expiry', { exp: undefined }],
  ['with an unknown kid', {}, { kid: 'external:2' }],
])('a token %s is refused', async ([, claims, header = {}]) => {
  expect(await shared.status(await tokenOf(claims, header))).toBe(401)
})

test('a token that is unsigned, or signed with the public key as a secret, is refused', async () => {
  const [, claims = ''] = (await tokenOf()).split('.')
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none', kid: key.kid })).toString('base64url')
  expect(await shared.status(`${unsigned}.${claims}.`)).toBe(401)
  const secret = Buffer.from(key.x, 'base64url')
  const symmetric = new SignJWT({ iss: issuer, aud: 'frontdesk', azp: 'partner', exp: seconds() + 300 })
  expect(await shared.status(await symmetric.setProtectedHeader({ alg: 'HS256', kid: key.kid }).sign(secret))).toBe(401)
})

test('the usual algorithms of identity providers are accepted', async () => {
  await using fixture = await openWithIssuer()
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
  const keys = [
    { ...elliptic, kid: 'external:ec', alg: 'ES256' },
    { ...rsa, kid: 'external:rsa', alg: 'RS256' },
  ] as JWK[]
  fixture.publish(...keys)
  for (const each of keys) expect(await fixture.status(await tokenOf({}, { alg: each.alg }, each))).toBe(200)
})

test('an external issuer may rotate its keys: a new key is fetched when a token first names it', async () => {
  await using fixture = await openWithIssuer()
  const { status, publish } = fixture
  expect(await status(await tokenOf())).toBe(200)
  const next = signingKey('external:next')
  publish(key, next)
  // At most once in half a minute, so that made-up kids cannot cause many requests.
  expect(await status(await tokenOf({}, {}, next))).toBe(401)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
  expect(await status(await tokenOf({}, {}, next))).toBe(200)
  expect(await status(await tokenOf())).toBe(200)
})

test('a change of the file of issuers takes effect while the gateway runs', async () => {
  await using fixture = await openWithIssuer()
  const { gateway, status } = fixture
  const token = await tokenOf()
  expect(await status(token)).toBe(200)
  await gateway.replace('issuers.json', [])
  await eventually(async () => expect(await status(token)).toBe(401))
})

test('an external issuer in the file may not issue tokens in our name', async () => {
  const publicUrl = 'https://api.example.com'
  await using fixture = await openWithIssuer({ env: { PUBLIC_URL: publicUrl }, issuerUrl: publicUrl })
  const claims = { iss: publicUrl, sub: 'partner', client_id: 'partner', jti: '1', iat: seconds() }
  for (const aud of ['frontdesk', publicUrl]) {
    expect(await fixture.status(await tokenOf({ ...claims, aud }, { typ: 'at+jwt' }))).toBe(401)
  }
})

test('a token is answered 503 while the keys of its issuer cannot be fetched', async () => {
  const entry = { issuer, jwksUri: 'http://127.0.0.1:1/keys', audience: 'frontdesk', clientClaim: 'azp' }
  await using gateway = await openGateway({ issuers: [entry] })
  const answer = await gateway.call('/api/v1/sites', { token: await tokenOf() })
  expect(answer).toMatchObject({ status: 503, json: { code: 'service_unavailable' } })
  expect(answer.headers['retry-after']).toBe('5')
})
