import { Agent, request } from 'undici'

/** No usable answer from the provider. `reached` is false if the request certainly never left and so had no effect. */
export class TransportFailure extends Error {
  readonly reached: boolean
  /** The status of an answer that was not JSON, such as a proxy's page. */
  readonly status: number | undefined

  constructor(message: string, reached: boolean, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'TransportFailure'
    this.reached = reached
    this.status = options.status
  }
}

const neverLeft = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export interface HttpRequest {
  method: string
  headers: Record<string, string>
  body: string | null
  /** For the whole exchange, in milliseconds. */
  timeoutMs: number
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string>
  /** Parsed JSON. */
  body: object
}

/** HTTP to a provider on a connection pool of its own. `exchange` throws TransportFailure. */
export interface Http {
  exchange(url: string, request: HttpRequest): Promise<HttpAnswer>
  close(): Promise<void>
}

/** Opens a connection pool. It connects on the first request. */
export function openHttp(): Http {
  const agent = new Agent({ connect: { timeout: 2_000 }, keepAliveTimeout: 10_000, connections: 256 })
  return { exchange: (url, request) => exchange(agent, url, request), close: () => agent.close() }
}

async function exchange(agent: Agent, url: string, sent: HttpRequest): Promise<HttpAnswer> {
  const { method, headers, body, timeoutMs } = sent
  let text: string
  let reply
  // Not AbortSignal.timeout: its timer cannot be cleared, and makes an error with its stack long after the answer has come.
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(timeoutReason), timeoutMs)
  try {
    reply = await request(url, { dispatcher: agent, method, headers, body, signal: timeout.signal })
    text = await reply.body.text()
  } catch (error) {
    throw transportFailure(error, timeoutMs)
  } finally {
    clearTimeout(timer)
  }
  const status = reply.statusCode
  return { status, headers: stringHeaders(reply.headers), body: parsed(text, status) }
}

function parsed(text: string, status: number): object {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new TransportFailure(`the answer with status ${status} is not JSON`, true, { status, cause })
  }
  if (typeof body === 'object' && body !== null) return body
  throw new TransportFailure(`the answer with status ${status} is no object`, true, { status })
}

const timeoutReason = new Error('no answer in time')

function transportFailure(error: unknown, timeoutMs: number): TransportFailure {
  const { name, code } = error as { name?: string; code?: string }
  if (error === timeoutReason) return new TransportFailure(`no answer within ${timeoutMs} ms`, true, { cause: error })
  return new TransportFailure(`no answer: ${code ?? name}`, !neverLeft.has(code ?? ''), { cause: error })
}

/** Returns headers with text for values: a repeated header is one text. */
export function stringHeaders(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
