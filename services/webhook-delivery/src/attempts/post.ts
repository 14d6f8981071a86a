import { Agent, type Dispatcher } from 'undici'
import type { FailureReason, Reply } from '../replies/reply.ts'

/** How much of a reply is read and kept. */
export const replyCapBytes = 16 * 1024

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
 * Opens the HTTP client of deliveries: HTTP/1.1 with keep-alive, no redirects. Connections are not capped by origin: each
 * endpoint has its own cap, and one that hangs must not take the connections of its neighbours.
 */
export function openAgent(connect: NonNullable<Agent.Options['connect']>): Agent {
  return new Agent({
    connect,
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4_000,
    maxHeaderSize: replyCapBytes,
  })
}

/** Posts once. One deadline covers connect, headers and body. The reply's body is cut at 16 KiB, and the socket is closed. */
export function post(agent: Dispatcher, { deadlineMs, ...request }: PostRequest): Posting {
  let controller: Dispatcher.DispatchController | undefined
  let settle: (reply: Reply | typeof interrupted) => void = () => {}
  let settled = false
  let status = 0
  let retryAfter: string | undefined
  const chunks: Buffer[] = []
  let bytes = 0

  const reply = new Promise<Reply | typeof interrupted>((resolve) => (settle = resolve))
  const end = (outcome: Reply | typeof interrupted) => {
    settled = true
    clearTimeout(deadline)
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

  agent.dispatch(
    { ...request, method: 'POST' },
    {
      onRequestStart(started) {
        controller = started
        // Aborted while it still waited for a connection: it is never written.
        if (settled) started.abort(new Error('given up'))
      },
      onResponseStart(_, statusCode, headers) {
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
        if (!settled) end({ kind: 'failure', reason: reasonOf(error), message: messageOf(error) })
      },
    },
  )
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
