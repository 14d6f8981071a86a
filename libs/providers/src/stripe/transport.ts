import type Stripe from 'stripe'
import { Agent, request } from 'undici'

type HttpClient = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>

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

/**
 * Opens an HTTP client for the SDK, on a connection pool of our own. It replaces the SDK's client because that one only
 * times out on silence (an answer that drips in never ends), repeats requests on closed connections by itself, and cannot
 * tell a refused connection from one lost after the request had left.
 */
export function openTransport(): { client: HttpClient; close(): Promise<void> } {
  const agent = new Agent({ connect: { timeout: 2_000 }, keepAliveTimeout: 10_000, connections: 256 })

  const client: HttpClient = {
    getClientName: () => 'frontdesk',
    async makeRequest(host, port, path, method, headers, requestData, protocol, timeout) {
      const answer = await exchange(agent, `${protocol}://${host}:${port}${path}`, {
        method,
        headers: stringHeaders(headers),
        body: requestData === '' ? null : requestData,
        timeout,
      })
      return {
        getStatusCode: () => answer.status,
        getHeaders: () => answer.headers,
        getRawResponse: () => ({}),
        toStream: () => {
          throw new TypeError('streaming is not supported')
        },
        toJSON: async () => answer.body,
      }
    },
  }
  return { client, close: () => agent.close() }
}

interface Exchange {
  method: string
  headers: Record<string, string>
  body: string | null
  timeout: number
}

async function exchange(agent: Agent, url: string, { method, headers, body, timeout }: Exchange) {
  let text: string
  let reply
  try {
    reply = await request(url, { dispatcher: agent, method, headers, body, signal: AbortSignal.timeout(timeout) })
    text = await reply.body.text()
  } catch (error) {
    throw transportFailure(error, timeout)
  }
  const status = reply.statusCode
  try {
    return { status, headers: stringHeaders(reply.headers), body: JSON.parse(text) as object }
  } catch (cause) {
    throw new TransportFailure(`the answer with status ${status} is not JSON`, true, { status, cause })
  }
}

function transportFailure(error: unknown, timeout: number): TransportFailure {
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError') return new TransportFailure(`no answer within ${timeout} ms`, true, { cause: error })
  return new TransportFailure(`no answer: ${code ?? name}`, !neverLeft.has(code ?? ''), { cause: error })
}

function stringHeaders(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
