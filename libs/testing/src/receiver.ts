import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A request that has arrived. */
export interface ReceivedRequest {
  method: string
  /** Path and query. */
  path: string
  headers: IncomingHttpHeaders
  /** The bytes of the body, read as UTF-8; signatures cover them. */
  body: string
  receivedAt: Date
}

/** A receiver's reply, sent `after` milliseconds. `hang` never answers, `drop` closes the connection. */
export type ReceiverReply =
  | { status: number; headers?: Record<string, string>; body?: string; after?: number }
  | 'hang'
  | 'drop'

/** An HTTP server on loopback in the role of a subscriber: it records requests and gives the chosen replies. */
export interface Receiver extends AsyncDisposable {
  url: string
  requests: ReceivedRequest[]
  /** Sets the function that chooses replies. Default: 204. */
  reply(answer: (request: ReceivedRequest) => ReceiverReply | Promise<ReceiverReply>): void
}

/**
 * Opens a receiver on a free port, or on `port` to open a closed one again.
 *
 * @param options `host`: the name by which a system in containers reaches this machine. The receiver then listens on all addresses.
 */
export async function openReceiver({
  port = 0,
  host,
}: { port?: number; host?: string | undefined } = {}): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  let answer: (request: ReceivedRequest) => ReceiverReply | Promise<ReceiverReply> = () => ({ status: 204 })
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const received: ReceivedRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        receivedAt: new Date(),
      }
      requests.push(received)
      void respond(received, request.socket, response)
    })
  })
  async function respond(received: ReceivedRequest, socket: Socket, response: ServerResponse): Promise<void> {
    const reply = await answer(received)
    if (reply === 'hang') return
    if (reply === 'drop') return void socket.destroy()
    if (reply.after !== undefined) await delay(reply.after)
    response.writeHead(reply.status, reply.headers).end(reply.body)
  }
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, host === undefined ? '127.0.0.1' : '0.0.0.0', resolve),
  )
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return {
    url: `http://${host ?? '127.0.0.1'}:${address.port}`,
    requests,
    reply: (next) => void (answer = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
