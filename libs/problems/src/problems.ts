import type { ProblemDetails as ProblemDetailsOfContract } from '@frontdesk/contracts'
import { catalogue, type ProblemCode } from './catalogue.ts'

export { explanations, type Explanation } from './explanations.ts'
export { catalogue, type ProblemCode }

/** The body of every error response: RFC 9457 with our members `code`, `traceId` and `errors`, and perhaps others. */
export type ProblemDetails = ProblemDetailsOfContract & { [extension: string]: unknown }

/**
 * A faulty member. `pointer` is a JSON pointer (RFC 6901) into the body, or into the other parts of the request: `/query/…`,
 * `/path/…`, `/header/…`.
 */
export type ProblemFault = NonNullable<ProblemDetails['errors']>[number]

export interface ProblemOptions {
  detail?: string | undefined
  errors?: ProblemFault[] | undefined
  /** Sent as `Retry-After`, in whole seconds. */
  retryAfter?: number | undefined
  /** Further response headers, such as `WWW-Authenticate`. */
  headers?: Record<string, string> | undefined
  /** Set if the refusal had an effect (a failed payment): then it is stored for its Idempotency-Key. */
  effect?: boolean
  /** Further members of the body, such as `RecordId`. */
  extensions?: Record<string, unknown> | undefined
  cause?: unknown
}

/** A refusal with a code of the catalogue. Thrown anywhere; the HTTP edge maps it to a response. */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly options: ProblemOptions

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(options.detail ?? catalogue[code].title, { cause: options.cause })
    this.name = 'ProblemError'
    this.code = code
    this.status = catalogue[code].status
    this.options = options
  }
}

/** Returns the problem `code`, for the caller to throw: `throw problem(…)`. */
export function problem(code: ProblemCode, options: ProblemOptions | string = {}): ProblemError {
  return new ProblemError(code, typeof options === 'string' ? { detail: options } : options)
}

/** Returns the response headers of a problem: the content type, `Retry-After`, and its own headers. */
export function problemHeaders(error: ProblemError): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/problem+json; charset=utf-8' }
  if (error.options.retryAfter !== undefined) headers['retry-after'] = String(error.options.retryAfter)
  return { ...headers, ...error.options.headers }
}

/**
 * Returns the `type` of a problem: the section of the documentation about its code, relative to the address of the request
 * (RFC 9457, 3.1.1), so that no service needs to know the public address. IANA's types stay as they are.
 */
export function problemType(code: ProblemCode): string {
  const entry = catalogue[code]
  return 'type' in entry ? entry.type : `/docs/errors#${code}`
}

/** Returns the RFC 9457 body of a problem. `instance` is the request's path. */
export function problemDetails(error: ProblemError, at: { instance?: string; traceId?: string }): ProblemDetails {
  const entry = catalogue[error.code]
  return {
    type: problemType(error.code),
    title: entry.title,
    status: entry.status,
    ...(error.options.detail === undefined ? {} : { detail: error.options.detail }),
    ...(at.instance === undefined ? {} : { instance: at.instance }),
    code: error.code,
    ...(at.traceId === undefined ? {} : { traceId: at.traceId }),
    ...(error.options.errors === undefined ? {} : { errors: error.options.errors }),
    ...error.options.extensions,
  }
}

/** Returns whether a parsed response body has the shape of our problems. */
export function isProblemDetails(value: unknown): value is ProblemDetails {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'status' in value &&
    typeof value.status === 'number'
  )
}
