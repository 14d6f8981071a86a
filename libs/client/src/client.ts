import {
  operations,
  type Body,
  type Operation,
  type OperationId,
  type Operations,
  type Params,
  type Query,
  type Reply,
} from '@frontdesk/contracts'
import { exchange, type Outcome } from './exchange.ts'
import { sleep } from './patience.ts'
import { FrontdeskProblem } from './problems.ts'
import { writeRequest, type Input } from './request.ts'
import { openTokenSource, type ClientCredentials, type TokenSource } from './token.ts'

export interface CallOptions {
  /** The Idempotency-Key of a POST. By default the client makes one for each call, so that its own retries are safe. */
  idempotencyKey?: string
  /** Sent as X-Practice-Management-Software. */
  practiceManagementSoftware?: string
  /** Ends the call, its tries and its waits when it aborts. The call then throws the signal's reason. */
  signal?: AbortSignal
}

/** The input of a call: path parameters by name, `query` and `body` if the operation has them, and options. */
export type CallInput<Id extends OperationId> = Params<Id> &
  (Operations[Id] extends { query: object } ? { query?: Partial<Query<Id>> } : unknown) &
  (Operations[Id] extends { body: object } ? { body: Body<Id> } : unknown) &
  CallOptions

export type CallResult<Id extends OperationId> = Reply<Id>['body']

/** The input is optional if no member of it is required. */
type Arguments<Id extends OperationId> =
  Record<never, never> extends CallInput<Id> ? [input?: CallInput<Id>] : [input: CallInput<Id>]

/** A method for each operation, named as in `/openapi.json`. */
export type FrontdeskClient = { [Id in OperationId]: (...input: Arguments<Id>) => Promise<CallResult<Id>> }

export interface ClientOptions {
  /** The gateway, such as `https://api.example.com`. */
  baseUrl: string
  /** The credentials of your client, or an API key of a site, with which you may call that site's operations only. */
  credentials: ClientCredentials | { siteKey: string }
  /** How often a call is tried in all. Default 4. */
  attempts?: number
  /** Time-out of each try, in milliseconds. Default: the operation's own deadline (5 or 30 s) plus two seconds. */
  timeoutMs?: number
  /** Longest wait between tries, in milliseconds. A longer `Retry-After` ends the call at once. Default 20 000. */
  longestWaitMs?: number
}

/**
 * Creates a client of a Frontdesk gateway.
 *
 * ```ts
 * const frontdesk = createClient({ baseUrl, credentials: { clientId, clientSecret } })
 * const { Identity } = await frontdesk.createSite({ body: { Name: 'Smile Dental' } })
 * ```
 *
 * Calls return the body of the success. They throw FrontdeskProblem for a refusal and FrontdeskUnreachable if there is no
 * answer. Time-outs, lost connections, 429, 502, 503, 504 and `idempotency_key_in_use` are retried; all tries of a POST
 * have the same Idempotency-Key.
 */
export function createClient(options: ClientOptions): FrontdeskClient {
  const { credentials } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const tokens = 'clientId' in credentials ? openTokenSource(baseUrl, credentials) : undefined
  const siteKey = 'siteKey' in credentials ? { 'x-site-api-key': credentials.siteKey } : {}

  async function call(operation: Operation, input: Input): Promise<unknown> {
    const { attempts = 4, longestWaitMs = 20_000, timeoutMs = operation.deadlineMs + 2_000 } = options
    const { signal } = input
    const { path, ...request } = writeRequest(operation, input)
    const send = (headers: Record<string, string>) =>
      exchange(baseUrl + path, { ...request, headers: { ...request.headers, ...headers }, timeoutMs, signal })

    for (let attempt = 1; ; attempt++) {
      const outcome = await (tokens === undefined ? send(siteKey) : sendWithToken(tokens, send, signal))
      if (outcome.ok) return outcome.body
      const waitMs = waitBefore(attempt, outcome.error)
      if (attempt >= attempts || waitMs === undefined || waitMs > longestWaitMs) throw outcome.error
      await sleep(waitMs, signal)
    }
  }

  const methods = Object.entries<Operation>(operations).map(([id, operation]) => [
    id,
    (input: Input = {}) => call(operation, input),
  ])
  return Object.fromEntries(methods) as FrontdeskClient
}

/** Makes one try with an access token. A refused token (expired, or its key was rotated) is replaced once. */
async function sendWithToken(
  tokens: TokenSource,
  send: (headers: Record<string, string>) => Promise<Outcome>,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  for (let renewed = false; ; renewed = true) {
    const issued = await tokens.get(signal)
    if (!issued.ok) return issued
    const outcome = await send({ authorization: `Bearer ${issued.token}` })
    const isRefused = !outcome.ok && outcome.error instanceof FrontdeskProblem && outcome.error.status === 401
    if (!isRefused || renewed) return outcome
    tokens.refused(issued.token)
  }
}

const temporary = new Set([429, 502, 503, 504])

/**
 * Returns the milliseconds until the next try, or undefined if the error is not temporary. Follows `Retry-After`, plus a
 * little at random so that clients do not return all at once; otherwise a random part of a doubling wait.
 */
function waitBefore(attempt: number, error: Extract<Outcome, { ok: false }>['error']): number | undefined {
  if (error instanceof FrontdeskProblem) {
    if (!temporary.has(error.status) && error.code !== 'idempotency_key_in_use') return undefined
    if (error.retryAfter !== undefined) return error.retryAfter * 1000 + Math.random() * 200
  }
  return Math.random() * 250 * 2 ** attempt
}
