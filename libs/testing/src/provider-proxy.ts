import { setTimeout as delay } from 'node:timers/promises'
import { createServer, request as send, type IncomingMessage, type Server } from 'node:http'

/** A request to the provider. */
export interface ProxiedRequest {
  method: string
  path: string
  idempotencyKey: string | undefined
  /** The connected account on which it acts. */
  account: string | undefined
  body: string
}

/**
 * Fault of one request. A lost request or reply closes the connection, as a cut cable would. `after` runs when the
 * provider has answered, before the reply goes to the service. A `reply` comes in the provider's place, which is not asked.
 */
export type Fault =
  | 'none'
  | 'lose request'
  | 'lose reply'
  | { after: () => Promise<void> }
  | { reply: { status: number; headers?: Record<string, string>; body: object } }

/** An HTTP proxy between services and the sandbox, which can inject network faults. */
export interface ProviderProxy extends AsyncDisposable {
  url: string
  /** All requests, including lost ones. */
  readonly requests: readonly ProxiedRequest[]
  /** Sets the function that chooses each request's fault; `undefined` means none. */
  inject(fault: ((request: ProxiedRequest) => Fault) | undefined): void
  /** Refuses connections from now on. */
  close(): Promise<void>
  /** Accepts connections again, at the same address. */
  open(): Promise<void>
}

/** Opens a proxy to `target` on a port of loopback. */
export async function openProviderProxy(target: string, port: number): Promise<ProviderProxy> {
  const requests: ProxiedRequest[] = []
  let inject: (request: ProxiedRequest) => Fault = () => 'none'
  let server: Server | undefined

  async function open(): Promise<void> {
    const opening = createServer((incoming, outgoing) => {
      void bodyOf(incoming).then(async (body) => {
        const proxied: ProxiedRequest = {
          method: incoming.method ?? '',
          path: incoming.url ?? '',
          idempotencyKey: headerOf(incoming, 'idempotency-key'),
          account: headerOf(incoming, 'stripe-account'),
          body: body.toString('utf8'),
        }
        requests.push(proxied)
        const fault = inject(proxied)
        if (fault === 'lose request') return void incoming.socket.destroy()
        if (typeof fault === 'object' && 'reply' in fault) {
          const { status, headers, body: content } = fault.reply
          return void outgoing
            .writeHead(status, { 'content-type': 'application/json', ...headers })
            .end(JSON.stringify(content))
        }
        const reply = await forward(target, incoming, body)
        if (fault === 'lose reply') return void incoming.socket.destroy()
        if (typeof fault === 'object') await fault.after()
        outgoing.writeHead(reply.status, reply.headers).end(reply.body)
      })
    })
    await new Promise<void>((resolve, reject) => opening.once('error', reject).listen(port, '127.0.0.1', resolve))
    server = opening
  }

  async function close(): Promise<void> {
    const closing = server
    server = undefined
    closing?.closeAllConnections()
    await new Promise((resolve) => (closing === undefined ? resolve(undefined) : closing.close(resolve)))
    // Until the client's pool notices, it may still send a request on a dead connection, with an unknown outcome.
    await delay(250)
  }

  await open()
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    inject: (next = () => 'none') => void (inject = next),
    open,
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface Reply {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

function forward(target: string, incoming: IncomingMessage, body: Buffer): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { 'transfer-encoding': _chunked, ...headers } = incoming.headers
    const passing = send(`${target}${incoming.url}`, {
      method: incoming.method,
      headers: { ...headers, 'content-length': String(body.byteLength) },
    })
    passing.once('error', reject)
    passing.once('response', (reply) => {
      void bodyOf(reply).then((text) =>
        resolve({ status: reply.statusCode ?? 502, headers: reply.headers, body: text }),
      )
    })
    passing.end(body)
  })
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function headerOf(message: IncomingMessage, name: string): string | undefined {
  const value = message.headers[name]
  return Array.isArray(value) ? value[0] : value
}
