import { setTimeout as delay } from 'node:timers/promises'
import { createServer, request as send, type IncomingMessage, type Server } from 'node:http'

/** A request to the provider, as it passes. */
export interface ProxiedRequest {
  method: string
  path: string
  idempotencyKey: string | undefined
  /** The connected account that it acts on. */
  account: string | undefined
  body: string
}

/**
 * What happens to a request: it passes; it is lost on its way, or its reply is, as when a cable is cut; or it passes, and
 * `after` runs once the provider has done its work and before the reply is handed on.
 */
export type Fault = 'none' | 'lose request' | 'lose reply' | { after: () => Promise<void> }

/** A proxy between services and the sandbox: HTTP over the wire, with the faults of networks. */
export interface ProviderProxy extends AsyncDisposable {
  url: string
  /** Everything that came by, also what was lost. */
  readonly requests: readonly ProxiedRequest[]
  /** From now on decides on each request; `undefined`: everything passes. */
  inject(fault: ((request: ProxiedRequest) => Fault) | undefined): void
  /** Refuses connections from now on. */
  close(): Promise<void>
  /** Takes connections again, at the same address. */
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
        const passing: ProxiedRequest = {
          method: incoming.method ?? '',
          path: incoming.url ?? '',
          idempotencyKey: headerOf(incoming, 'idempotency-key'),
          account: headerOf(incoming, 'stripe-account'),
          body: body.toString('utf8'),
        }
        requests.push(passing)
        const fault = inject(passing)
        if (fault === 'lose request') return void incoming.socket.destroy()
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
    // Until the client's pool has heard of it, a request may still go to a dead connection, and its fate be unknown.
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
