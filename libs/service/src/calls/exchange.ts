import type { IncomingHttpHeaders } from 'node:http'
import { Pool, type Dispatcher } from 'undici'
import { internalConnector } from '../tls/connector.ts'
import type { InternalTls } from '../tls/internal-tls.ts'

export interface ExchangeRequest {
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH'
  /** Path and query. */
  path: string
  headers: Record<string, string>
  body?: Buffer | undefined
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

const connectionsPerService = 256
const connectWithinMs = 1_000
const largestAnswer = 16 * 1024 * 1024

/** How long a connection is used, in milliseconds, unless a setting says something else. */
export const defaultConnectionAgeMs = 30_000

/**
 * Opens a pool of connections to a service. The first request makes the first connection. A connection is left between two
 * requests once it is about `connectionAgeMs` old: behind one address there may be new replicas, which only new connections find. With
 * `tls` both sides of a connection prove who they are.
 */
export function openPool(
  url: string,
  { connectionAgeMs = defaultConnectionAgeMs, tls }: { connectionAgeMs?: number; tls?: InternalTls } = {},
): Pool {
  return new Pool(url, {
    connections: connectionsPerService,
    allowH2: false,
    connect: tls === undefined ? { timeout: connectWithinMs } : internalConnector(tls, connectWithinMs),
    // Different from replica to replica, so that they do not all connect at once.
    clientTtl: connectionAgeMs * (0.7 + Math.random() * 0.3),
    // Must be shorter than a service's drain (SHUTDOWN_DRAIN). During the drain the service answers with `connection: close`, and
    // connections without a request end after this time. So when the service closes its connections, no request is on one of them.
    keepAliveTimeout: 3_000,
    keepAliveMaxTimeout: 3_000,
    // The deadline of `exchange` covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: largestAnswer,
  })
}

/** The complete answer did not arrive in time. */
export class DeadlinePassed extends Error {}

/**
 * Sends one request and returns the complete answer. Uses `dispatch`, undici's lowest level: `request` with its stream
 * and an abort signal takes 7 us more CPU time for each (27 instead of 20, measured). Throws DeadlinePassed and undici's errors.
 */
export function exchange(pool: Pool, request: ExchangeRequest, deadlineMs: number): Promise<Answer> {
  const { method, path, headers, body = null } = request
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let late: DeadlinePassed | undefined
    let head: Pick<Answer, 'status' | 'headers'> = { status: 0, headers: {} }
    const chunks: Buffer[] = []
    const timer = setTimeout(() => {
      late = new DeadlinePassed()
      reject(late)
      controller?.abort(late)
    }, deadlineMs)

    pool.dispatch(
      { method, path, headers, body },
      {
        onRequestStart(started) {
          controller = started
          // The deadline passed while the request waited for a connection.
          if (late !== undefined) started.abort(late)
        },
        onResponseStart(_controller, statusCode, responseHeaders) {
          head = { status: statusCode, headers: responseHeaders }
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk)
        },
        onResponseEnd() {
          clearTimeout(timer)
          const [only] = chunks
          resolve({ ...head, body: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks) })
        },
        onResponseError(_controller, error) {
          clearTimeout(timer)
          reject(error)
        },
      },
    )
  })
}

const connectTimeout = 'UND_ERR_CONNECT_TIMEOUT'
const beforeConnection = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  connectTimeout,
])
const onConnection = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Whether a request failed before any byte of it was sent. */
export function wasNeverSent(error: unknown): boolean {
  return beforeConnection.has(codeOf(error))
}

/** Whether a request failed because there was no connection or because it broke. */
export function isConnectionError(error: unknown): boolean {
  return wasNeverSent(error) || onConnection.has(codeOf(error))
}

/** Whether a request failed only after a wait. A service that refuses at once costs its callers no time. */
export function isHanging(error: unknown): boolean {
  return error instanceof DeadlinePassed || codeOf(error) === connectTimeout
}

function codeOf(error: unknown): string {
  // If a host has several addresses, the error holds one error for each of them.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error && 'code' in first && typeof first.code === 'string' ? first.code : ''
}
