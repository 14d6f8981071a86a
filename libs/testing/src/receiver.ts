import { createServer, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** A request as it arrived. */
export interface ReceivedRequest {
  method: string
  /** Path and query. */
  path: string
  headers: IncomingHttpHeaders
  /** The body's very bytes, as signatures cover them, read as UTF-8. */
  body: string
  receivedAt: Date
}

/** How a receiver answers; `hang` keeps the connection open without a word, `drop` closes it. */
export type ReceiverReply =
  | { status: number; headers?: Record<string, string>; body?: string; after?: number }
  | 'hang'
  | 'drop'

/** An HTTP server on loopback that stands for a subscriber: it keeps what it gets and answers as told. */
export interface Receiver extends AsyncDisposable {
  url: string
  requests: ReceivedRequest[]
  /** From now on answers by this function; until then with 204. `after` is a delay in milliseconds. */
  reply(answer: (request: ReceivedRequest) => ReceiverReply): void
}

/** Opens a receiver on a free port, or on a given one (to come back after it was closed). */
export async function openReceiver({ port = 0 }: { port?: number } = {}): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  let answer: (request: ReceivedRequest) => ReceiverReply = () => ({ status: 204 })
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
      const reply = answer(received)
      if (reply === 'hang') return
      if (reply === 'drop') return void request.socket.destroy()
      void delay(reply.after ?? 0).then(() => response.writeHead(reply.status, reply.headers).end(reply.body))
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    reply: (next) => void (answer = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
