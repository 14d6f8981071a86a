import type { Dispatcher } from 'undici'
import type { FailureReason, Reply } from '../replies/reply.ts'
import { wasClosedWhileIdle, type Connections } from './connections.ts'

/** How much of a reply is read and kept. */
export const replyCapBytes = 16 * 1024
const mostInformational = 8

export interface PostRequest {
  origin: string
  path: string
  /** Names and values in turn. */
  headers: string[]
  body: Buffer
  deadlineMs: number
}

/** The request was aborted by our own shutdown: neither an answer nor a failure of the receiver. */
export const interrupted = Symbol('interrupted')

/** One request on its way. */
export interface Posting {
  /** Never rejects. */
  reply: Promise<Reply | typeof interrupted>
  /** Aborts the request on our shutdown. */
  interrupt(): void
}

/**
 * Posts once. One deadline covers connect, headers and body. The reply's body is cut at 16 KiB, and the socket is closed. A
 * connection that the receiver closed while it was idle says nothing about this request: it is made on a fresh one then.
 */
export function post(connections: Connections, { deadlineMs, ...request }: PostRequest): Posting {
  let controller: Dispatcher.DispatchController | undefined
  let settle: (reply: Reply | typeof interrupted) => void = () => {}
  let settled = false
  let status = 0
  let retryAfter: string | undefined
  const chunks: Buffer[] = []
  let bytes = 0
  const informational = { answers: 0, bytes: 0 }

  const reply = new Promise<Reply | typeof interrupted>((resolve) => (settle = resolve))
  const end = (outcome: Reply | typeof interrupted) => {
    settled = true
    clearTimeout(deadline)
    connections.release(request.origin)
    settle(outcome)
  }
  const abort = (outcome: Reply | typeof interrupted) => {
    if (settled) return
    end(outcome)
    controller?.abort(new Error('given up'))
  }
  const deadline = setTimeout(
    () => abort({ kind: 'failure', reason: 'timeout', message: `no complete answer within ${deadlineMs} ms` }),
    deadlineMs,
  )
  const answer = (): Reply => ({
    kind: 'answer',
    status,
    retryAfter,
    body: bytes === 0 ? undefined : Buffer.concat(chunks),
  })

  /** An informational answer (1xx) says nothing. A receiver that sends one after the other would have us read for ever. */
  function countInformational(headers: Record<string, string | string[] | undefined>): void {
    informational.answers++
    for (const [name, value] of Object.entries(headers)) informational.bytes += name.length + String(value).length
    if (informational.answers <= mostInformational && informational.bytes <= replyCapBytes) return
    abort({ kind: 'failure', reason: 'connection', message: 'too many informational answers (1xx)' })
  }

  function send(client: Dispatcher, isFresh: boolean): void {
    client.dispatch(
      { ...request, method: 'POST' },
      {
        onRequestStart(started) {
          controller = started
          // Aborted while it still waited for a connection: it is never written.
          if (settled) started.abort(new Error('given up'))
        },
        onResponseStart(_, statusCode, headers) {
          if (statusCode < 200) return countInformational(headers)
          status = statusCode
          const header = headers['retry-after']
          retryAfter = Array.isArray(header) ? header[0] : header
        },
        onResponseData(_, chunk) {
          const room = replyCapBytes - bytes
          // Copied, because the chunk is a view of a larger buffer of the socket.
          chunks.push(Buffer.from(chunk.subarray(0, room)))
          bytes += Math.min(room, chunk.byteLength)
          if (bytes >= replyCapBytes) abort(answer())
        },
        onResponseEnd() {
          if (!settled) end(answer())
        },
        onResponseError(_, error) {
          if (settled) return
          if (!isFresh && status === 0 && wasClosedWhileIdle(error)) sendFresh()
          else end({ kind: 'failure', reason: reasonOf(error), message: messageOf(error) })
        },
      },
    )
  }
  function sendFresh(): void {
    const client = connections.openFresh(request.origin)
    send(client, true)
    // It closes when its one request has ended.
    client.close().catch(() => {})
  }
  send(connections.use(request.origin), false)
  return { reply, interrupt: () => abort(interrupted) }
}

function reasonOf(error: Error): FailureReason {
  const code = codeOf(error)
  if (code === 'ADDRESS_REFUSED') return 'address_refused'
  if (/TIMEOUT|TIMEDOUT/.test(code)) return code === 'ETIMEOUT' ? 'dns' : 'timeout'
  if (/^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|EAI_|EBADRESP|EBADNAME|EFORMERR)/.test(code)) return 'dns'
  if (/CERT|TLS|SSL|SIGNATURE|SELF_SIGNED|ISSUER|ALTNAME|EPROTO/.test(code)) return 'tls'
  return 'connection'
}

function messageOf(error: Error): string {
  const code = codeOf(error)
  const message =
    error instanceof AggregateError && error.message === '' ? 'no address could be connected to' : error.message
  return (code === '' || message.includes(code) ? message : `${code}: ${message}`).slice(0, 500)
}

function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause instanceof Error ? codeOf(error.cause) : ''
}
