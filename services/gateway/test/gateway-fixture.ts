import { type NatsSettings } from '@frontdesk/events'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { scopes, services, type SiteAccess } from '@frontdesk/contracts'
import { freePort } from '@frontdesk/testing'
import { writeInternalKeys } from '@frontdesk/testing/internal-keys'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { pino } from 'pino'
import { Agent, request } from 'undici'
import { start } from '../src/start.ts'
import {
  openRegistryUpstream,
  openUpstream,
  type KeyFilesOf,
  type RegistryUpstream,
  type Upstream,
} from './upstreams.ts'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Makes a private EdDSA key as a JWK. */
export function signingKey(kid: string) {
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return { ...key, kid, alg: 'EdDSA', use: 'sig' } as { kid: string; kty: string; crv: string; x: string; d: string }
}

export const site: SiteAccess = {
  slug: 'sAbc1234567x',
  name: 'Harbour Street Dental',
  practiceManagementSystem: 'OpenDental',
  pmsSpecificId: 'PMS-7',
  owningOrganisation: 'oOwner1234567',
  billingOrganisation: 'oBiller123456',
  status: 'Operational',
}

export const secretOf = (client: string) => `${client}-secret`
const client = (id: string, settings: object = {}) => ({
  id,
  secretSha256: sha256(secretOf(id)),
  scopes: [...scopes],
  practiceManagementSoftware: ['OpenDental'],
  rateLimit: 'unlimited',
  ...settings,
})

/** One client for every kind of right. */
export const clients = [
  client('demo', {
    eventSource: 'https://demo.example/',
    webhookUrl: 'https://demo.example/hooks',
    refundsReturnFee: false,
  }),
  client('reader', { scopes: ['sites:read', 'payments:read'] }),
  client('optical', { practiceManagementSoftware: ['Optomate'] }),
  client('owner', { organisations: ['oOwner1234567'] }),
  client('stranger', { organisations: ['oOther1234567'] }),
  client('limited', { rateLimit: { requests: 5, windowSeconds: 60 } }),
  client('ordinary', { rateLimit: undefined }),
]

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** The body, parsed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  json: any
}

export interface CallOptions {
  method?: string
  token?: string | undefined
  siteKey?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

export interface Gateway extends AsyncDisposable {
  url: string
  publicUrl: string
  metricsUrl: string
  folder: string
  keysOf: KeyFilesOf
  tokenKeys: ReturnType<typeof signingKey>[]
  upstreams: { registry: RegistryUpstream; accounts: Upstream; payments: Upstream; 'webhook-delivery': Upstream }
  /** Gets an access token of a client, for all or some of its scopes. */
  token(client: string, scope?: string): Promise<string>
  /** Sends a request, with `token` or `siteKey` as its credential. */
  call(path: string, options?: CallOptions): Promise<Reply>
  /** Stops the gateway as SIGTERM does. */
  stop(): Promise<void>
  /** Replaces one of the gateway's files as an operator does. */
  replace(file: 'clients.json' | 'token-keys.json' | 'issuers.json', content: unknown): Promise<void>
}

interface GatewayOptions {
  nats?: NatsSettings
  env?: Record<string, string>
  /** The content of the file of external issuers. */
  issuers?: unknown
  /** The content of the clients file. Default: `clients`. */
  clients?: object[]
  /** Gets every log line, parsed. */
  onLine?: (line: Record<string, unknown>) => void
}

/** Opens a gateway over stand-ins for the services. Without NATS unless `nats` is given. */
export async function openGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { nats = { NATS_URL: 'nats://127.0.0.1:1' }, env = {}, issuers, onLine } = options
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await throwAwayFolder()).path
  const tokenKeys = [signingKey('access:2'), signingKey('access:1')]
  const write = (file: string, content: unknown) => writeFile(`${folder}/${file}`, JSON.stringify(content))
  await write('token-keys.json', { keys: tokenKeys })
  await write('clients.json', { clients: options.clients ?? clients })
  if (issuers !== undefined) await write('issuers.json', issuers)

  const keysOf = writeInternalKeys(folder, services)
  const upstreams = {
    registry: stack.use(await openRegistryUpstream(keysOf)),
    accounts: stack.use(await openUpstream('accounts', keysOf)),
    payments: stack.use(await openUpstream('payments', keysOf)),
    'webhook-delivery': stack.use(await openUpstream('webhook-delivery', keysOf)),
  }
  const port = await freePort()
  const metricsPort = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const running = await start({
    env: {
      FRONTDESK_MODE: 'development',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      PUBLIC_URL: publicUrl,
      ...nats,
      REGISTRY_URL: upstreams.registry.url,
      ACCOUNTS_URL: upstreams.accounts.url,
      PAYMENTS_URL: upstreams.payments.url,
      WEBHOOK_DELIVERY_URL: upstreams['webhook-delivery'].url,
      ...keysOf('gateway'),
      CLIENTS_FILE: `${folder}/clients.json`,
      TOKEN_KEYS_FILE: `${folder}/token-keys.json`,
      ...(issuers === undefined ? {} : { EXTERNAL_ISSUERS_FILE: `${folder}/issuers.json` }),
      // Tests block the event loop that they share with the gateway. Tests of shedding set their own value.
      MAX_EVENT_LOOP_DELAY: '60s',
      ...env,
    },
    log:
      onLine === undefined
        ? pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })
        : pino({}, { write: (line: string) => onLine(JSON.parse(line) as Record<string, unknown>) }),
    signal: new AbortController().signal,
  })
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= Promise.resolve(running[Symbol.asyncDispose]()))
  stack.defer(stop)
  const agent = new Agent({ keepAliveTimeout: 60_000 })
  stack.defer(() => agent.destroy())

  async function call(
    path: string,
    { method = 'GET', token, siteKey, headers = {}, body }: CallOptions = {},
  ): Promise<Reply> {
    const response = await request(running.url + path, {
      method: method as 'GET',
      dispatcher: agent,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(siteKey === undefined ? {} : { 'x-site-api-key': siteKey }),
        ...(body === undefined || 'content-type' in headers ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.body.text()
    const isJson = String(response.headers['content-type']).includes('json') && text !== ''
    return { status: response.statusCode, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }

  async function token(id: string, scope?: string): Promise<string> {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secretOf(id),
      ...(scope === undefined ? {} : { scope }),
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { json } = await call('/oauth2/token', { method: 'POST', headers, body: form.toString() })
    return json.access_token
  }

  async function replace(file: string, content: unknown): Promise<void> {
    await write(`next-${file}`, content)
    await rename(`${folder}/next-${file}`, `${folder}/${file}`)
  }

  const opened = stack.move()
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
  return {
    url: running.url,
    publicUrl,
    metricsUrl,
    folder,
    keysOf,
    tokenKeys,
    upstreams,
    token,
    call,
    replace,
    stop,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
