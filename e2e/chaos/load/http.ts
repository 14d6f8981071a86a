import { Agent, request } from 'undici'

/** An answer, or why none came. */
export interface Reply {
  /** Undefined if no answer came. */
  status: number | undefined
  body: Readonly<Record<string, unknown>>
  /** The problem's code, or the code of the connection's error. */
  reason: string
  retryAfterMs: number
}

export interface Sent {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: object
  key?: string
}

/** A client that sends each request once, unlike libs/client, and tells what came of it. */
export interface HttpClient extends AsyncDisposable {
  send(sent: Sent): Promise<Reply>
}

/** Opens a client of the gateway at `baseUrl`. `token` returns a valid access token. */
export function openHttpClient(baseUrl: string, token: () => string): HttpClient {
  const agent = new Agent({ connections: 128, connect: { timeout: 3_000 }, headersTimeout: 20_000 })
  return {
    async send({ method, path, body, key }) {
      try {
        const reply = await request(baseUrl + path, {
          method,
          dispatcher: agent,
          headers: {
            authorization: `Bearer ${token()}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...(key !== undefined && { 'idempotency-key': key }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const text = await reply.body.text()
        const content = asRecord(text)
        const code = typeof content['code'] === 'string' ? ` ${content['code']}` : ''
        return {
          status: reply.statusCode,
          body: content,
          reason: `${reply.statusCode}${code}`,
          retryAfterMs: Number(reply.headers['retry-after'] ?? 0) * 1_000 || 0,
        }
      } catch (error) {
        const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
        return { status: undefined, body: {}, reason, retryAfterMs: 0 }
      }
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}

function asRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
