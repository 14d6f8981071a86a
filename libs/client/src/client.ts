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
import { FrontdeskProblem, isProblemBody } from './problems.ts'
import { openTokenSource, type ClientCredentials } from './token.ts'

export interface CallOptions {
  /** Sent as Idempotency-Key on a POST; without it the client makes one, so that its own retries are safe. */
  idempotencyKey?: string
  /** Sent as X-Practice-Management-Software. */
  practiceManagementSoftware?: string
  signal?: AbortSignal
}

/** What a call takes: the path parameters by name, `query` and `body` where the operation has them, and options. */
export type CallInput<Id extends OperationId> = Params<Id> &
  (Operations[Id] extends { query: object } ? { query?: Partial<Query<Id>> } : unknown) &
  (Operations[Id] extends { body: object } ? { body: Body<Id> } : unknown) &
  CallOptions

export type CallResult<Id extends OperationId> = Reply<Id>['body']

/** One method for each operation of the interface, named as in the operations table. */
export type FrontdeskClient = { [Id in OperationId]: (input: CallInput<Id>) => Promise<CallResult<Id>> }

export interface ClientOptions {
  /** The gateway, such as `https://api.example.com`. */
  baseUrl: string
  /** A client's credentials, or one of a site's API keys (site-level operations only). */
  credentials: ClientCredentials | { siteKey: string }
  /** Tries in all of a call that can be repeated safely. Default 4. */
  attempts?: number
  /** The longest wait between two tries, in milliseconds; a longer `Retry-After` is an error at once. Default 20 000. */
  longestWaitMs?: number
}

/**
 * Makes a client of a Frontdesk gateway.
 *
 * ```ts
 * const frontdesk = createClient({ baseUrl, credentials: { clientId, clientSecret } })
 * const { Identity } = await frontdesk.createSite({ body: { Name: 'Smile Dental' } })
 * ```
 *
 * Calls resolve with the body of the success and throw FrontdeskProblem for every refusal. Time-outs, lost connections,
 * 429 and 503 are tried again, a POST always under one Idempotency-Key.
 */
export function createClient(options: ClientOptions): FrontdeskClient {
  const authorize = authorization(options)
  const methods = Object.entries(operations).map(([id, operation]) => [
    id,
    (input: CallInput<OperationId>) => call(operation, input as Input, options, authorize),
  ])
  return Object.fromEntries(methods) as FrontdeskClient
}

type Input = CallOptions & { query?: Record<string, unknown>; body?: unknown; [parameter: string]: unknown }
type Authorize = (fresh: boolean) => Promise<Record<string, string>>

function authorization({ baseUrl, credentials }: ClientOptions): Authorize {
  if ('siteKey' in credentials) return async () => ({ 'x-site-api-key': credentials.siteKey })
  const token = openTokenSource(baseUrl, credentials)
  return async (fresh) => ({ authorization: `Bearer ${await token(fresh)}` })
}

async function call(
  operation: Operation,
  input: Input,
  options: ClientOptions,
  authorize: Authorize,
): Promise<unknown> {
  const { attempts = 4, longestWaitMs = 20_000 } = options
  const url = options.baseUrl + pathOf(operation, input) + queryOf(input.query)
  const idempotencyKey = input.idempotencyKey ?? crypto.randomUUID()
  let freshToken = false
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce(operation, url, idempotencyKey, input, await authorize(freshToken))
    if (outcome.ok) return outcome.body
    if (attempt >= attempts || input.signal?.aborted) throw outcome.error
    // An access token that ran out on the way, or a key that was rotated, is replaced once.
    if (outcome.status === 401 && !freshToken && 'clientId' in options.credentials) {
      freshToken = true
      continue
    }
    const waitMs = waitBefore(attempt, outcome)
    if (waitMs === undefined || waitMs > longestWaitMs) throw outcome.error
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

type Outcome =
  | { ok: true; body: unknown }
  | { ok: false; status: number | undefined; retryAfter: number | undefined; code: string | undefined; error: Error }

async function tryOnce(
  operation: Operation,
  url: string,
  idempotencyKey: string,
  input: Input,
  authorization: Record<string, string>,
): Promise<Outcome> {
  const timeout = AbortSignal.timeout(operation.deadlineMs + 2_000)
  try {
    const response = await fetch(url, {
      method: operation.method,
      redirect: 'error',
      signal: input.signal === undefined ? timeout : AbortSignal.any([input.signal, timeout]),
      headers: {
        accept: 'application/json',
        ...authorization,
        ...(operation.method === 'POST' ? { 'idempotency-key': idempotencyKey } : {}),
        ...(input.body === undefined ? {} : { 'content-type': contentTypeOf(operation, input.body) }),
        ...(input.practiceManagementSoftware === undefined
          ? {}
          : { 'x-practice-management-software': input.practiceManagementSoftware }),
      },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    })
    const text = await response.text()
    if (response.ok) return { ok: true, body: text === '' ? undefined : JSON.parse(text) }
    const error = FrontdeskProblem.from(response.status, text)
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
    return {
      ok: false,
      status: response.status,
      retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
      code: isProblemBody(error.problem) ? error.problem.code : undefined,
      error,
    }
  } catch (error) {
    return { ok: false, status: undefined, retryAfter: undefined, code: undefined, error: error as Error }
  }
}

function contentTypeOf({ contentTypes = ['application/json'] }: Operation, body: unknown): string {
  const [single = 'application/json', several = single] = contentTypes
  return Array.isArray(body) ? several : single
}

/** How long to wait before the next try, or undefined where another try makes no sense. Full jitter on our own waits. */
function waitBefore(attempt: number, outcome: Extract<Outcome, { ok: false }>): number | undefined {
  const temporary =
    outcome.status === undefined ||
    [429, 502, 503, 504].includes(outcome.status) ||
    outcome.code === 'idempotency_key_in_use'
  if (!temporary) return undefined
  if (outcome.retryAfter !== undefined) return outcome.retryAfter * 1000 + Math.random() * 200
  return Math.random() * 250 * 2 ** attempt
}

function pathOf(operation: Operation, input: Input): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name]
    if (typeof value !== 'string') throw new TypeError(`${name} is required`)
    return encodeURIComponent(value)
  })
}

function queryOf(query: Record<string, unknown> | undefined): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) search.append(name, String(item))
  }
  return search.size === 0 ? '' : `?${search}`
}
