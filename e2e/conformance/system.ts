import { operations, type Operation, type OperationId, type Scope } from '@frontdesk/contracts'
import { ensure } from './check.ts'
import { openExchanges, patiently, type Answer, type Exchanges, type Question } from './exchange.ts'
import type { Need } from './needs.ts'

/** A client of the credentials file. */
export interface ClientEntry {
  id: string
  secret: string
  scopes: readonly string[]
  practiceManagementSoftware: readonly string[]
  /** The prefix of `source` of the events that it may publish. */
  eventSource?: string
}

/** What the suite knows of a system: the parts of dev.json that it uses. */
export interface Credentials {
  clients: readonly ClientEntry[]
  /** The sandbox provider, where there is one. */
  sandbox?: string
}

/** Power over the processes of a system on this machine. */
export interface Control {
  /** Ends a service at once; it is started again by itself. */
  kill(service: string): void
  /** The folder with the clients' and keys' files that the gateway follows. */
  keysFolder: string
  /** Every line that the parts logged since the suite began. */
  logged(): Promise<string[]>
}

/** Who asks: a client by its id (with some of its scopes only), a site key, a token as it is, or nobody. */
export type Proof = { client: string; scopes?: readonly Scope[] } | { siteKey: string } | { token: string } | 'nobody'

type QueryValue = string | number | boolean | undefined
/** An array is a repeated parameter. */
export type Query = Record<string, QueryValue | readonly QueryValue[]>

export interface Call {
  params?: Record<string, string>
  query?: Query | string
  /** Sent as JSON; text and bytes are sent as they are, as the operation's JSON type unless a header says otherwise. */
  body?: unknown
  headers?: Record<string, string>
  /** Default: the main client. */
  as?: Proof
  /** Whether a 429 is an answer like others. Else it is waited for. */
  keepLimited?: boolean
}

/** The system under test, seen from outside. */
export interface System extends AsyncDisposable {
  baseUrl: string
  /** Every scope, one practice management system. */
  main: ClientEntry
  /** Several practice management systems; among them that of the main client, and one that it has not. */
  several: ClientEntry | undefined
  /** Scopes to read only. */
  reader: ClientEntry | undefined
  /** Without a rate limit where there is such a client, else the main one. */
  busy: ClientEntry
  control: Control | undefined
  /** Every secret that was sent or received so far. */
  secrets: ReadonlySet<string>
  /** Waits for quotas to fill up again. */
  ask(question: Question): Promise<Answer>
  /** Takes a 429 like any other answer. */
  askOnce(question: Question): Promise<Answer>
  call(id: OperationId, call?: Call): Promise<Answer>
  /** A token that may be one of before. */
  token(client: ClientEntry, scopes?: readonly Scope[]): Promise<string>
  newToken(client: ClientEntry): Promise<string>
  /** What a person does at the sandbox provider. */
  atProvider(path: string): Promise<void>
  /** Whether a need is met. */
  has(need: Need): boolean
  /** To be undone when the suite ends, last first. */
  cleanUp(undo: () => Promise<unknown>): void
}

/** The members of answers that are secrets. */
const secretMembers = /"(?:access_token|PrimaryKey|SecondaryKey|SigningSecret|ClientSecret|session)":"([^"]{20,})"/g

export interface SystemOptions {
  baseUrl: string
  credentials: Credentials
  control?: Control | undefined
  /** What requests go through; default: connections to the base URL. They are closed with the system. */
  exchanges?: Exchanges | undefined
}

/** Opens the system under test. Throws where the credentials do not name what every case needs. */
export function openSystem(options: SystemOptions): System {
  const { baseUrl, credentials, control, exchanges = openExchanges(baseUrl) } = options
  const { clients, sandbox } = credentials
  const main = mainClient(clients)
  const several = clients.find(
    ({ practiceManagementSoftware: systems, scopes }) =>
      systems.length > 1 && hasAllScopes(scopes) && systems.includes(main.practiceManagementSoftware[0] ?? ''),
  )
  const reader = clients.find(({ scopes }) => scopes.length > 1 && scopes.every((scope) => scope.endsWith(':read')))
  const secrets = new Set(clients.map(({ secret }) => secret))
  const tokens = new Map<string, { token: Promise<string>; until: number }>()
  const undoing: (() => Promise<unknown>)[] = []
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(baseUrl).hostname)
  const met: Record<Need, boolean> = {
    processes: control !== undefined,
    files: control !== undefined,
    sandbox: sandbox !== undefined,
    receiver: sandbox !== undefined && isLocal,
    'several systems': several !== undefined,
    'read only': reader !== undefined,
    'event source': main.eventSource !== undefined,
  }

  async function ask(question: Question): Promise<Answer> {
    const answer = await exchanges.ask(question)
    for (const [, secret = ''] of answer.text.matchAll(secretMembers)) secrets.add(secret)
    return answer
  }

  function token(client: ClientEntry, scopes?: readonly Scope[]): Promise<string> {
    const key = `${client.id} ${client.secret} ${scopes?.join(' ')}`
    const held = tokens.get(key)
    if (held !== undefined && held.until > Date.now()) return held.token
    const fresh = askForToken(client, scopes)
    fresh.catch(() => tokens.delete(key))
    tokens.set(key, { token: fresh, until: Date.now() + 10 * 60_000 })
    return fresh
  }

  async function askForToken(client: ClientEntry, scopes: readonly Scope[] | undefined): Promise<string> {
    const form = new URLSearchParams({ grant_type: 'client_credentials' })
    if (scopes !== undefined) form.set('scope', scopes.join(' '))
    const headers = { ...basicAuthorization(client), 'content-type': 'application/x-www-form-urlencoded' }
    const question = { method: 'POST', path: '/oauth2/token', headers, body: form.toString() }
    const answer = await patiently(() => ask(question))
    ensure(answer.status === 200, answer, `no token for ${client.id}`)
    return (answer.body as { access_token: string }).access_token
  }

  async function proofHeaders(proof: Proof): Promise<Record<string, string>> {
    if (proof === 'nobody') return {}
    if ('siteKey' in proof) return { 'x-site-api-key': proof.siteKey }
    if ('token' in proof) return { authorization: `Bearer ${proof.token}` }
    const client = clients.find(({ id }) => id === proof.client)
    if (client === undefined) throw new Error(`no client ${proof.client}`)
    return { authorization: `Bearer ${await token(client, proof.scopes)}` }
  }

  return {
    baseUrl,
    main,
    several,
    reader,
    busy: clients.find(({ id }) => id === 'bench') ?? main,
    control,
    secrets,
    token,
    newToken: (client) => askForToken(client, undefined),
    ask: (question) => patiently(() => ask(question)),
    askOnce: ask,
    async call(id, { params = {}, query, body, headers, as = { client: main.id }, keepLimited = false } = {}) {
      const operation: Operation = operations[id]
      const sent =
        body === undefined || typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body)
      const question = {
        method: operation.method,
        path: pathOf(operation.path, params) + queryOf(query),
        headers: {
          accept: 'application/json',
          ...(sent === undefined ? {} : { 'content-type': contentTypeOf(operation, body) }),
          ...(await proofHeaders(as)),
          ...headers,
        },
        body: sent,
      }
      return keepLimited ? ask(question) : patiently(() => ask(question))
    },
    async atProvider(path) {
      const response = await fetch(`${sandbox}/_control/${path}`, { method: 'POST' })
      if (response.status !== 204) throw new Error(`the sandbox answered ${response.status} to ${path}`)
    },
    has: (need) => met[need],
    cleanUp: (undo) => void undoing.push(undo),
    async [Symbol.asyncDispose]() {
      for (const undo of undoing.toReversed()) await undo().catch(() => {})
      await exchanges[Symbol.asyncDispose]()
    },
  }
}

function hasAllScopes(scopes: readonly string[]): boolean {
  return Object.values<Operation>(operations).every(({ scope }) => scopes.includes(scope))
}

function mainClient(clients: readonly ClientEntry[]): ClientEntry {
  const able = clients.filter(
    ({ scopes, practiceManagementSoftware: systems }) => systems.length === 1 && hasAllScopes(scopes),
  )
  const client = able.find(({ id }) => id === 'demo') ?? able[0]
  if (client === undefined)
    throw new Error('The suite needs a client with every scope and one practice management system.')
  return client
}

/** `client_secret_basic` (RFC 6749 section 2.3.1). */
export function basicAuthorization({ id, secret }: { id: string; secret: string }): { authorization: string } {
  const encoded = [id, secret].map((part) => encodeURIComponent(part)).join(':')
  return { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` }
}

/** A path of the operations table with its parameters, each encoded. */
export function pathOf(path: string, params: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? `no-${name}`))
}

function queryOf(query: Call['query']): string {
  if (query === undefined) return ''
  if (typeof query === 'string') return `?${query}`
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat()) if (item !== undefined) search.append(name, String(item))
  return search.size === 0 ? '' : `?${search}`
}

/** What a body is sent as: an operation's second content type is for arrays. */
function contentTypeOf({ contentTypes = ['application/json'] }: Operation, body: unknown): string {
  const [single = 'application/json', several = single] = contentTypes
  return Array.isArray(body) ? several : single
}
