import { readFile } from 'node:fs/promises'
import type { InternalOperationId } from '@frontdesk/contracts'
import { writeInternalKeys } from '@frontdesk/testing/internal-keys'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer, listen, serveOperations } from '../src/http/index.ts'
import { openTokenIssuer, openTokenVerifier, type KeyFiles, type TokenIssuer } from '../src/tokens/index.ts'
import { internalKeys, parsePrivateKeys, parsePublicKeys } from '../src/tokens/internal-keys.ts'
import { issuerWith } from '../src/tokens/internal-tokens.ts'

const stack = new AsyncDisposableStack()
const issuers = new Map<string, TokenIssuer>()
let keysOf: (service: 'gateway' | 'payments' | 'accounts') => KeyFiles
let url = ''
/** What the handlers were given. */
const handled: { headers: Record<string, unknown>; body: string }[] = []
let now = Date.now()

/** A registry with one operation of each kind: of a client, and of another service. */
beforeAll(async () => {
  const folder = stack.use(await throwAwayFolder()).path
  keysOf = writeInternalKeys(folder, ['gateway', 'payments', 'accounts'])
  for (const service of ['gateway', 'payments'] as const)
    issuers.set(
      service,
      openTokenIssuer(service, keysOf(service), () => now),
    )
  const app = createServer({
    name: 'accounts',
    log: pino({ level: 'silent' }),
    metrics: new Registry(),
    ready: async () => ({}),
  })
  const handler = async ({ headers, body }: { headers: object; body: unknown }) => {
    handled.push({ headers: { ...headers }, body: Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body) })
    return { status: 200, body: [], reply: undefined, url: 'x', open: 0 }
  }
  // oxlint-disable-next-line typescript/no-explicit-any -- one handler for all operations of accounts
  const all = (names: readonly string[]): any => Object.fromEntries(names.map((name) => [name, handler]))
  serveOperations(app, {
    service: 'accounts',
    verify: openTokenVerifier('accounts', keysOf('accounts')),
    // No request here has an Idempotency-Key.
    idempotency: {} as never,
    handlers: all(['createAccount', 'listAccounts', 'getAccount', 'deleteAccount']),
    internalHandlers: all([
      'listAccountsAudit',
      'getAccountState',
      'getOnboarding',
      'mintOnboardingLink',
      'receiveAccountWebhook',
    ] satisfies InternalOperationId[]),
  })
  url = await listen(app, { host: '127.0.0.1', port: 0 })
  stack.defer(() => app.close())
})
afterAll(() => stack.disposeAsync())

interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | undefined
}

const webhook = '/internal/providers/Sandbox/webhooks/accounts'

/** Returns a signed request of a service. */
async function signed(change: Partial<Sent> = {}, service = 'gateway'): Promise<Sent> {
  const issuer = issuers.get(service)
  if (issuer === undefined) throw new Error(`no key of ${service}`)
  const principal = { id: `service:${service}`, scopes: [], practiceManagementSystems: [] }
  const token = await issuer.mint('accounts', { principal })
  const { method = 'POST', path = webhook, body = '{"id":"evt_1"}' } = change
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream', ...change.headers }
  return { method, path, body, headers: issuer.sign('accounts', { method, path, headers, body: Buffer.from(body) }) }
}

async function send({ method, path, headers, body }: Sent): Promise<{ status: number; detail?: string }> {
  const answer = await request(url + path, {
    method: method as 'POST',
    headers,
    ...(body === undefined ? {} : { body }),
  })
  const { detail } = (await answer.body.json()) as { detail?: string }
  return { status: answer.statusCode, ...(detail === undefined ? {} : { detail }) }
}

test('a signed request is served', async () => {
  const sent = await signed({
    headers: { 'received-stripe-signature': 't=1, v1=é', 'X-Client-Address': '198.51.100.7' },
  })
  expect(await send(sent)).toEqual({ status: 200 })
  expect(handled.at(-1)?.headers).toMatchObject({ 'x-client-address': '198.51.100.7' })
})

const refused = (why: string) => ({ status: 401, detail: expect.stringContaining(why) })

describe('a token that was seen opens nothing else:', () => {
  test('alone it is refused', async () => {
    const { headers, ...rest } = await signed()
    const { signature: _s, 'signature-input': _i, 'content-digest': _d, ...bare } = headers
    expect(await send({ ...rest, headers: bare })).toEqual(refused('the request is not signed'))
  })

  test.for<[string, Partial<Sent>]>([
    ['another address', { path: webhook.replace('Sandbox', 'Stripe') }],
    ['an added query', { path: `${webhook}?a=1` }],
    ['another operation', { path: '/internal/onboarding/token' }],
  ])('with %s it is refused', async ([, change]) => {
    expect(await send({ ...(await signed()), ...change })).toEqual(refused('the signature is of another request'))
  })

  test.for<[string, string | undefined]>([
    ['another body', '{"id":"evt_2"}'],
    ['no body', undefined],
    ['a longer body', '{"id":"evt_1"} '],
  ])('with %s instead of its own it is refused', async ([, body]) => {
    expect(await send({ ...(await signed()), body })).toEqual(refused('its body is not the one that was signed'))
  })

  test('with a body that was not signed it is refused', async () => {
    const sent = await signed({ body: '' })
    expect(await send({ ...sent, body: '{"id":"evt_2"}' })).toEqual(refused('its body is not the one that was signed'))
  })

  test.for(['content-digest', 'x-client-address', 'content-type'])(
    'with another value of %s it is refused',
    async (name) => {
      const { headers, ...rest } = await signed({ headers: { 'x-client-address': '198.51.100.7' } })
      expect(await send({ ...rest, headers: { ...headers, [name]: 'other' } })).toEqual(refused('another request'))
    },
  )

  test('headers that somebody adds never reach a handler', async () => {
    const { headers, ...rest } = await signed()
    const added = { 'idempotency-key': 'other', 'x-client-address': '203.0.113.9', 'received-stripe-signature': 'x' }
    expect((await send({ ...rest, headers: { ...headers, ...added } })).status).toBe(200)
    for (const name of Object.keys(added)) expect(handled.at(-1)?.headers).not.toHaveProperty(name)
  })

  test('under the signature of another service it is refused', async () => {
    const [ours, theirs] = [await signed(), await signed({}, 'payments')]
    const { authorization = '' } = ours.headers
    const resigned = issuers
      .get('payments')
      ?.sign('accounts', { ...theirs, headers: { authorization }, body: Buffer.from(theirs.body ?? '') })
    expect(await send({ ...theirs, headers: { ...resigned, 'content-type': 'application/octet-stream' } })).toEqual(
      refused('not of the service of the token'),
    )
  })

  test("with another service's key under the name of its caller it is refused", async () => {
    const ours = await signed()
    const own = parsePrivateKeys('payments', await readFile(keysOf('payments').INTERNAL_KEY_FILE, 'utf8'))
    const publicKeys = parsePublicKeys(await readFile(keysOf('payments').INTERNAL_JWKS_FILE, 'utf8'))
    const forger = issuerWith('gateway', internalKeys([{ ...own[0], kid: 'gateway:1' }], publicKeys))
    const { authorization = '' } = ours.headers
    const headers = { authorization, 'content-type': 'application/octet-stream' }
    const body = Buffer.from(ours.body ?? '')
    expect(await send({ ...ours, headers: forger.sign('accounts', { ...ours, headers, body }) })).toEqual(
      refused('the signature is of another request'),
    )
  })

  test.for([
    ['request=();created=1;keyid="gateway:1"', 'covers too little'],
    ['request=("@method" "@request-target");created=1;keyid="gateway:1"', 'covers too little'],
    ['request=("@method" "@request-target" "authorization");created=1;keyid="other:1"', 'other:1'],
    ['nonsense', 'not signed'],
  ])('with the signature input %s it is refused', async ([input = '', why = '']) => {
    const { headers, ...rest } = await signed()
    const { status, detail } = await send({ ...rest, headers: { ...headers, 'signature-input': input } })
    expect([status, detail]).toEqual([401, expect.stringMatching(new RegExp(`${why}|not signed`))])
  })
})

test('a request that is sent again by somebody else is refused, and that of a caller who asks for the same once more is not', async () => {
  const sent = await signed()
  expect(await send(sent)).toEqual({ status: 200 })
  expect(await send(sent)).toEqual(refused('it was served before'))
  expect(await send(await signed())).toEqual({ status: 200 })
  const deletion = await signed({ method: 'DELETE', path: '/nowhere', body: '' })
  expect((await send(deletion)).status).toBe(404)
})

test('a signature ends with its token, with the same allowance for clocks', async () => {
  const issuer = issuers.get('gateway')
  const began = now
  try {
    // A token of now under a signature of some time ago.
    for (const [secondsAgo, status] of [
      [140, 200],
      [-400, 200],
      [160, 401],
    ] as const) {
      now = Date.now()
      const { headers, ...rest } = await signed()
      const { authorization = '' } = headers
      now = Date.now() - secondsAgo * 1_000
      const own = { authorization, 'content-type': 'application/octet-stream' }
      const again = issuer?.sign('accounts', { ...rest, headers: own, body: Buffer.from(rest.body ?? '') }) ?? {}
      expect((await send({ ...rest, headers: again })).status).toBe(status)
    }
  } finally {
    now = began
  }
})
