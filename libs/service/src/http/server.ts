import { operations, type Operation } from '@frontdesk/contracts'
import { answerWithin, isUnavailable } from '@frontdesk/database'
import { problem, problemDetails, ProblemError, problemHeaders } from '@frontdesk/problems'
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { stuckLoops } from '../background/loops.ts'
import { createRequestMetrics } from '../metrics/metrics.ts'
import type { InternalTls } from '../tls/internal-tls.ts'
import { requireCertificate, serverTls } from '../tls/server.ts'
import { answerClientError, largestHead } from './client-errors.ts'
import { contentDigest } from '../tokens/request-signatures.ts'
import { parseJson } from './json-body.ts'
import { traceContext } from './trace.ts'
import { validationFaults, validatorCompiler } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request; calls and events that it causes carry it on. */
    traceparent: string
    traceId: string
    /** The `Content-Digest` that the caller has signed; empty for a request without a body, null if requests are not signed. */
    signedDigest: string | null
    /** The code of the problem that answers this request; null if it is answered otherwise. */
    problemCode: string | null
    /** What the line of this request tells of it besides, such as its operation and who asks. */
    told: Readonly<Record<string, string | number>> | null
  }
}

export interface ServerOptions {
  name: string
  log: Logger
  /**
   * Throws the reason while the service cannot do its work; `nats` is `connected` or `disconnected`, `clock` is `ok` or how
   * wrong it is, and `consumers` has the state of each consumer. Called every 2 s at most, and once at a time. A probe waits
   * for it for 800 ms.
   */
  ready: () => Promise<{ nats?: unknown; clock?: unknown; consumers?: unknown }>
  /** Aborts when the process is asked to stop: `/readyz` is 503 from then on, while requests are served until the server closes. */
  stopping?: AbortSignal
  /** The process's metrics, served at `/metrics`. */
  metrics: Registry
  /** False if `/metrics` has a port of its own, as in the gateway. Default: true. */
  serveMetrics?: boolean
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is trusted (the gateway). Default: none. */
  trustedProxies?: string[]
  /** Milliseconds within which a request's head, and all of it, must arrive. Default: 15 and 30 s. */
  arrivalMs?: { head: number; request: number }
  /** Returns what else the log line of a request tells, such as the client. Default: nothing. */
  requestFacts?: (request: FastifyRequest) => Readonly<Record<string, string | number>>
  /** The certificates of a service that accepts calls from our other services alone. Default: it speaks plain HTTP. */
  tls?: InternalTls | undefined
}

const jsonTypes = new Set(
  Object.values<Operation>(operations).flatMap((operation) => operation.contentTypes ?? ['application/json']),
)
/** Kubernetes gives a probe one second by default. */
const readyWithinMs = 800
const lateCheck = `the check of what this service needs has not answered for ${readyWithinMs} ms`
/** The status under which a request is logged and counted whose caller left before the answer, as in nginx. */
const callerLeft = 499
const probes = new Set(['/livez', '/readyz', '/metrics'])

/**
 * Makes the HTTP server of a service, with strict validation, problem documents for all errors, probes, metrics and trace
 * ids. It does not listen yet.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { name, log, ready, stopping, metrics, serveMetrics = true, tls } = options
  const { trustedProxies = [], arrivalMs = { head: 15_000, request: 30_000 } } = options
  const parsing = {
    maxHeaderSize: largestHead,
    // A missing Host is refused in `onRequest` instead: Node's own refusal has no body.
    requireHostHeader: false,
    headersTimeout: arrivalMs.head,
    // By default Node looks only every 30 s for requests that have not arrived.
    connectionsCheckingInterval: Math.min(1_000, arrivalMs.head),
  }
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines of a request carry its trace id; a logger for each request would take a fortieth of the gateway's CPU time.
    childLoggerFactory: (logger) => logger,
    bodyLimit: 256 * 1024,
    ...(tls === undefined ? { http: parsing } : { https: { ...parsing, ...serverTls(tls) } }),
    routerOptions: { maxParamLength: 2048, ignoreTrailingSlash: false, caseSensitive: true },
    forceCloseConnections: 'idle',
    requestTimeout: arrivalMs.request,
    keepAliveTimeout: 72_000,
    // During a stop, requests on open connections are still served, and answered with `connection: close`.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void sendProblem(asProblem(error), request, reply),
  }) as unknown as FastifyInstance
  app.setValidatorCompiler(validatorCompiler)
  app.removeAllContentTypeParsers()
  // serveOperations checks which of them an operation takes.
  for (const type of jsonTypes) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
      try {
        done(null, parseJson(ofDigest(request, body)))
      } catch (error) {
        done(error as Error)
      }
    })
  }
  app.decorateRequest('traceparent', '')
  app.decorateRequest('traceId', '')
  app.decorateRequest('signedDigest', null)
  app.decorateRequest('problemCode', null)
  app.decorateRequest('told', null)
  app.addHook('onRequest', async (request) => {
    const trace = traceContext(headerOf(request, 'traceparent'))
    request.traceparent = trace.traceparent
    request.traceId = trace.traceId
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw problem('malformed_request', 'It has no Host header.')
  })
  if (tls !== undefined) requireCertificate(app, tls)
  // An unknown expectation may be ignored (RFC 9110 section 10.1.1); Node's own refusal has no body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // From the beginning of the drain: clients leave their connections before the server closes them, so that no request is on its
  // way on a connection that ends. A connection whose request ended after that would also keep the stop waiting.
  let closing = false
  app.addHook('preClose', async () => void (closing = true))
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing || stopping?.aborted === true) reply.header('connection', 'close')
    done(null, payload)
  })
  app.setErrorHandler((error: FastifyError, request, reply) => sendProblem(asProblem(error), request, reply))
  app.setNotFoundHandler((request, reply) => sendProblem(problem('route_not_found'), request, reply))
  observe(app, metrics, log, options.requestFacts)

  app.get('/livez', async (_request, reply) => {
    const stuck = stuckLoops()
    if (stuck.length === 0) return { service: name, status: 'alive' }
    reply.code(503)
    return { service: name, status: 'stuck', reason: `has not come round: ${stuck.join(', ')}` }
  })
  app.get('/readyz', async (_request, reply) => {
    try {
      if (stopping?.aborted === true) throw new Error('stopping')
      const { nats, clock, consumers } = await answerWithin(readyWithinMs, askReady(), lateCheck)
      return {
        service: name,
        status: 'ready',
        ...(nats === undefined ? {} : { nats }),
        ...(clock === undefined ? {} : { clock }),
        ...(consumers === undefined ? {} : { consumers }),
      }
    } catch (error) {
      reply.code(503)
      return { service: name, status: 'not ready', reason: error instanceof Error ? error.message : 'unknown' }
    }
  })
  if (serveMetrics) {
    app.get('/metrics', async (_request, reply) => {
      reply.header('content-type', metrics.contentType)
      return metrics.metrics()
    })
  }
  const askReady = sharedFor(2_000, ready)
  return app
}

/** Listens and returns the base URL. */
export async function listen(app: FastifyInstance, at: { host: string; port: number }): Promise<string> {
  return app.listen({ host: at.host, port: at.port })
}

function observe(
  app: FastifyInstance,
  metrics: Registry,
  log: Logger,
  factsOf: ServerOptions['requestFacts'] = () => ({}),
): void {
  const duration = createRequestMetrics(metrics)
  const ended = (request: FastifyRequest, { elapsedTime }: FastifyReply, status: number) => {
    const { method, routeOptions, traceId, problemCode, told } = request
    const route = routeOptions.url ?? 'unknown'
    // A probe every few seconds would be most of what a quiet service has to show.
    if (probes.has(route)) return
    duration.observe({ method, route, status: String(status) }, elapsedTime / 1000)
    const requestId = headerOf(request, 'x-request-id')
    log.info(
      {
        method,
        route,
        status,
        outcome: outcomeOf(status),
        ...(problemCode === null ? {} : { code: problemCode }),
        ms: Math.round(elapsedTime),
        ...told,
        ...(requestId === undefined ? {} : { requestId: requestId.slice(0, 64) }),
        ...factsOf(request),
        traceId,
      },
      'request',
    )
  }
  app.addHook('onResponse', async (request, reply) => ended(request, reply, reply.statusCode))
  // Fastify tells nothing of a request whose caller left before the answer, which is what a deadline of the gateway looks like here.
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) ended(request, reply, callerLeft)
    })
  })
}

/** Returns how a request ended, in the words of its log line. */
function outcomeOf(status: number): string {
  if (status === callerLeft) return 'caller_left'
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'ok'
}

/**
 * Sends a problem. Every error becomes a response here. Logs a 5xx with its cause, which the client never sees. Does not log
 * `overloaded`: it is counted, and a line for each would add to the load.
 */
export function sendProblem(error: ProblemError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.status >= 500 && error.code !== 'overloaded')
    request.log.error({ err: error, cause: error.options.cause, traceId: request.traceId }, error.code)
  request.problemCode = error.code
  const instance = request.url.split('?', 1)[0] ?? ''
  return reply
    .code(error.status)
    .headers(problemHeaders(error))
    .serializer(JSON.stringify)
    .send(problemDetails(error, { instance, ...(request.traceId ? { traceId: request.traceId } : {}) }))
}

/** Returns anything that was thrown as a problem of the catalogue; `internal_error` if nothing else fits. */
export function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error
  if (isUnavailable(error)) return problem('service_unavailable', { retryAfter: 1, cause: error })
  const fault = error as Partial<FastifyError>
  if (fault.validation !== undefined) {
    return problem('malformed_request', {
      detail: 'The request does not match its schema.',
      errors: validationFaults(
        fault.validation as Parameters<typeof validationFaults>[0],
        fault.validationContext ?? 'body',
      ),
    })
  }
  switch (fault.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return problem('body_too_large', 'A body may have 256 KiB.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return problem('media_type_unsupported', 'Send application/json.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return problem('uri_too_long')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return problem('malformed_request')
    default:
      return problem('internal_error', { cause: error })
  }
}

/** Returns the body of a request. Throws `unauthorized` if it is not the one that the caller has signed. */
export function ofDigest({ signedDigest }: FastifyRequest, body: Buffer): Buffer {
  if (signedDigest === null || signedDigest === (body.byteLength === 0 ? '' : contentDigest(body))) return body
  throw problem('unauthorized', 'The internal request is refused: its body is not the one that was signed.')
}

/** Returns a request header as one string. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Asks at most once at a time, and again no sooner than so many milliseconds after the last answer. */
function sharedFor<T>(milliseconds: number, ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  let until = 0
  return () => {
    if (answer !== undefined && performance.now() < until) return answer
    until = Infinity
    answer = ask()
    const answered = () => void (until = performance.now() + milliseconds)
    answer.then(answered, answered)
    return answer
  }
}
