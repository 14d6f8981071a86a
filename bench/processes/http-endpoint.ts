import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'

/** A request that has arrived in full. */
export interface Post {
  path: string
  webhookId: string
  body: Buffer
  /** Answers the request; until then the connection stays open and silent. */
  respond(status: number): void
}

/** In PEM. */
export interface Certificate {
  key: string
  cert: string
}

const headEnd = Buffer.from('\r\n\r\n')

/**
 * Creates an HTTP/1.1 server that only reads POSTs with a content length, one after the other on a connection. That is
 * enough for deliveries, and takes half the processor time of node:http, which the measured engine would miss. With a
 * certificate it speaks TLS.
 */
export function createEndpoint(receive: (post: Post) => void, certificate?: Certificate): Server {
  const serve = (socket: Socket): void => {
    let unread = Buffer.alloc(0)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
      for (let length = readPost(unread, socket, receive); length > 0; length = readPost(unread, socket, receive)) {
        unread = unread.subarray(length)
      }
    })
  }
  return certificate === undefined ? createServer(serve) : createSecureServer(certificate, serve)
}

/** Reads a request if it has arrived in full. Returns its length, or 0. */
function readPost(bytes: Buffer, socket: Socket, receive: (post: Post) => void): number {
  const end = bytes.indexOf(headEnd)
  if (end === -1) return 0
  const head = bytes.toString('latin1', 0, end)
  const bodyLength = Number(header(head, 'content-length') ?? Number.NaN)
  if (Number.isNaN(bodyLength)) throw new Error(`not a POST with a content length:\n${head}`)
  const length = end + headEnd.length + bodyLength
  if (bytes.length < length) return 0
  const path = head.slice(head.indexOf(' ') + 1, head.indexOf(' HTTP/1.1'))
  const body = bytes.subarray(end + headEnd.length, length)
  const respond = (status: number): void => {
    // 204 has no body; for any other status the sender waits for one.
    if (socket.writable) socket.write(`HTTP/1.1 ${status} \r\n${status === 204 ? '' : 'content-length: 0\r\n'}\r\n`)
  }
  receive({ path, webhookId: header(head, 'webhook-id') ?? '', body, respond })
  return length
}

/** Returns the value of a header that the sender writes in lower case. */
function header(head: string, name: string): string | undefined {
  const at = head.indexOf(`\r\n${name}: `)
  if (at === -1) return undefined
  const start = at + name.length + 4
  const end = head.indexOf('\r\n', start)
  return head.slice(start, end === -1 ? undefined : end)
}
