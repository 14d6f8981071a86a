import { operations, type Operation, type OperationId, type Scope } from '@frontdesk/contracts'
import type { FrontdeskClient } from '@frontdesk/client'
import {
  basicAuthorization,
  joinSystem,
  tokenRequest,
  type ClientEntry,
  type System,
  type SystemFile,
} from '../system/system.ts'
import { createDocumentedProblems } from './documented-problems.ts'
import { ensure, isSuccess, wellFormedSuccess } from './check.ts'
import { openExchanges, patiently, type Answer, type Exchanges, type Question } from './exchange.ts'
import type { Need } from './needs.ts'

export { basicAuthorization }
export type { ClientEntry }

/** Power over the processes of a system on this machine. */
export interface Control {
  /** Kills a service with SIGKILL; it is started again by itself. */
  kill(service: string): void
  /** The folder with the clients' and keys' files that the gateway follows. */
  keysFolder: string
  /** Returns every line that the parts have logged since the suite began. */
  logged(): Promise<string[]>
}

/** Who sends a request: a client by its id (perhaps with some of its scopes only), a site key, a token as it is, or nobody. */
export type Credential =
  | { client: string; scopes?: readonly Scope[] }
  | { siteKey: string }
  | { token: string }
  | 'nobody'

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
  as?: Credential
  /** Whether to return a 429 like other answers. Otherwise the call waits and asks again. */
  keepLimited?: boolean
}

/** The system under test. Its `frontdesk` is the main client, and checks every success. */
export interface TestedSystem extends Pick<System, 'baseUrl' | 'frontdesk' | 'provider'>, AsyncDisposable {
  /** Has every scope and one practice management system. */
  main: ClientEntry
  /** Has several practice management systems: that of the main client and at least one other. */
  several: ClientEntry | undefined
  /** Has scopes to read only. */
  reader: ClientEntry | undefined
  /** Has no rate limit if there is such a client; otherwise the main client. */
  busy: ClientEntry
  control: Control | undefined
  /** Every secret that was sent or received so far. */
  secrets: ReadonlySet<string>
  /** Sends a request; waits for the quota after a 429. */
  ask(question: Question): Promise<Answer>
  /** Sends a request; returns a 429 like any other answer. */
  askOnce(question: Question): Promise<Answer>
  call(id: OperationId, call?: Call): Promise<Answer>
  /** Calls an operation and checks its success. `status` matters only for operations with two of them. Returns the body. */
  success(id: OperationId, call?: Call, status?: number): Promise<Record<string, unknown>>
  /** Returns the operations as libs/client has them, for a caller; each answer is checked as a success. */
  clientOf(as: Credential): FrontdeskClient
  /** Returns a token of a client, which may be an earlier one. */
  token(client: ClientEntry, scopes?: readonly Scope[]): Promise<string>
  newToken(client: ClientEntry): Promise<string>
  /** Returns whether a need is met. */
  has(need: Need): boolean
  /** Registers work to be undone when the suite ends, last first. */
  cleanUp(undo: () => Promise<unknown>): void
}

/** The members of answers that are secrets. */
const secretMembers = /"(?:access_token|PrimaryKey|SecondaryKey|SigningSecret|ClientSecret|session)":"([^"]{20,})"/g

export interface TestedSystemOptions {
  baseUrl: string
  credentials: SystemFile
  control?: Control | undefined
  /** Connections to send requests through; default: connections to the base URL. They are closed with the system. */
  exchanges?: Exchanges | undefined
}

/** Opens the system under test. Throws if the credentials lack a client that every case needs. */
export function openTestedSystem(options: TestedSystemOptions): TestedSystem {
  const { baseUrl, credentials, control, exchanges = openExchanges(baseUrl) } = options
  const { clients, sandbox } = credentials
  const main = mainClient(clients)
  const { entry, provider } = joinSystem({ ...credentials, gateway: baseUrl }, main.id)
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

  async function askOnce(question: Question): Promise<Answer> {
    const answer = await exchanges.ask(question)
    for (const [, secret = ''] of answer.text.matchAll(secretMembers)) secrets.add(secret)
    return answer
  }
  const ask = (question: Question) => patiently(() => askOnce(question))
  const isDocumented = createDocumentedProblems(ask)

  function token(client: ClientEntry, scopes?: readonly Scope[]): Promise<string> {
    const key = `${client.id} ${client.secret} ${scopes?.join(' ')}`
    const known = tokens.get(key)
    if (known !== undefined && known.until > Date.now()) return known.token
    const fresh = newToken(client, scopes)
    fresh.catch(() => tokens.delete(key))
    tokens.set(key, { token: fresh, until: Date.now() + 10 * 60_000 })
    return fresh
  }

  async function newToken(client: ClientEntry, scopes?: readonly Scope[]): Promise<string> {
    const answer = await ask(tokenRequest(client, scopes))
    ensure(answer.status === 200, answer, `no token for ${client.id}`)
    return (answer.body as { access_token: string }).access_token
  }

  async function credentialHeaders(as: Credential): Promise<Record<string, string>> {
    if (as === 'nobody') return {}
    if ('siteKey' in as) return { 'x-site-api-key': as.siteKey }
    if ('token' in as) return { authorization: `Bearer ${as.token}` }
    return { authorization: `Bearer ${await token(entry(as.client), as.scopes)}` }
  }

  const call: TestedSystem['call'] = async (id, options = {}) => {
    const { params = {}, query, body, headers, as = { client: main.id }, keepLimited = false } = options
    const operation: Operation = operations[id]
    const sent = body === undefined || typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body)
    const question = {
      method: operation.method,
      path: pathOf(operation.path, params) + queryOf(query),
      headers: {
        accept: 'application/json',
        ...(sent === undefined ? {} : { 'content-type': contentTypeOf(operation, body) }),
        ...(await credentialHeaders(as)),
        ...headers,
      },
      body: sent,
    }
    const answer = await (keepLimited ? askOnce(question) : ask(question))
    await isDocumented(answer, id)
    return answer
  }
  const success: TestedSystem['success'] = async (id, options, status) => {
    const answer = await call(id, options)
    return status === undefined ? wellFormedSuccess(answer, id) : isSuccess(answer, id, status)
  }
  const clientOf: TestedSystem['clientOf'] = (as) => checkedClient(success, as)

  return {
    baseUrl,
    frontdesk: clientOf({ client: main.id }),
    provider,
    main,
    several,
    reader,
    busy: clients.find(({ id }) => id === 'bench') ?? main,
    control,
    secrets,
    token,
    newToken: (client) => newToken(client),
    ask,
    askOnce,
    call,
    success,
    clientOf,
    has: (need) => met[need],
    cleanUp: (undo) => void undoing.push(undo),
    async [Symbol.asyncDispose]() {
      for (const undo of undoing.toReversed()) await undo().catch(() => {})
      await exchanges[Symbol.asyncDispose]()
    },
  }
}

function checkedClient(success: TestedSystem['success'], as: Credential): FrontdeskClient {
  const methods = (Object.keys(operations) as OperationId[]).map((id) => [
    id,
    ({ query, body, ...params }: { query?: Query; body?: unknown } & Record<string, unknown>) =>
      success(id, { params: params as Record<string, string>, ...(query && { query }), body, as }),
  ])
  return Object.fromEntries(methods) as FrontdeskClient
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

/** Fills in the parameters of a path of the operations table, each encoded. */
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

/** Returns the content type of a body; an operation's second content type is for arrays. */
function contentTypeOf({ contentTypes = ['application/json'] }: Operation, body: unknown): string {
  const [single = 'application/json', several = single] = contentTypes
  return Array.isArray(body) ? several : single
}
