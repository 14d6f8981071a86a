import { pagesOf, type Page } from './calls.ts'
import { exchange, type Outcome } from './exchange.ts'
import type { Methods } from './generated/methods.ts'
import { routes } from './generated/routes.ts'
import { sleep } from './patience.ts'
import { FrontdeskProblem } from './problems.ts'
import { writeRequest, type Input, type Route } from './request.ts'
import { openTokenSource, type ClientCredentials, type TokenSource } from './token.ts'

/** A client: a group of methods for each kind of thing, such as `sites` and `payments`. */
export type FrontdeskClient = Methods

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
 * const { Identity } = await frontdesk.sites.create({ body: { Name: 'Smile Dental' } })
 * for await (const site of frontdesk.sites.list()) console.log(site.Name)
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

  async function call(route: Route, input: Input): Promise<unknown> {
    const { attempts = 4, longestWaitMs = 20_000, timeoutMs = route.deadlineMs + 2_000 } = options
    const { signal } = input
    const { path, ...request } = writeRequest(route, input)
    const send = (headers: Record<string, string>) =>
      exchange(baseUrl + path, { ...request, headers: { ...request.headers, ...headers }, timeoutMs, signal })

    for (let attempt = 1; ; attempt++) {
      const outcome = await (tokens === undefined ? send(siteKey) : sendWithToken(tokens, send, signal))
      if (outcome.ok) return outcome.body
      const waitMs = attempt < attempts ? waitBefore(attempt, outcome.error, longestWaitMs) : undefined
      if (waitMs === undefined) throw outcome.error
      await sleep(waitMs, signal)
    }
  }

  function list(route: Route, input: Input) {
    return pagesOf((nextPageToken) => {
      const more = nextPageToken === undefined ? {} : { nextPageToken }
      return call(route, { ...input, query: { ...input.query, ...more } }) as Promise<Page>
    })
  }

  const groups = Object.entries(routes).map(([group, verbs]) => {
    const methods = Object.entries(verbs).map(([verb, route]) => [
      verb,
      (input: Input = {}) => (route.pages === true ? list(route, input) : call(route, input)),
    ])
    return [group, Object.fromEntries(methods) as object]
  })
  return Object.fromEntries(groups) as FrontdeskClient
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
 * Returns the milliseconds until the next try, or undefined if there is none: the error is not temporary, or `Retry-After` is
 * longer than the longest wait. Follows `Retry-After`, plus a little at random so that clients do not return all at once; otherwise
 * a random part of a wait that doubles up to the longest.
 */
function waitBefore(
  attempt: number,
  error: Extract<Outcome, { ok: false }>['error'],
  longestMs: number,
): number | undefined {
  if (error instanceof FrontdeskProblem) {
    if (!temporary.has(error.status) && error.code !== 'idempotency_key_in_use') return undefined
    const { retryAfter } = error
    if (retryAfter !== undefined)
      return retryAfter * 1_000 > longestMs ? undefined : retryAfter * 1_000 + Math.random() * 200
  }
  return Math.random() * Math.min(longestMs, 250 * 2 ** attempt)
}
