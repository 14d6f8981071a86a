import type { ProblemCode } from './generated/problem-codes.ts'
import type { ProblemDetails } from './generated/schemas.ts'

/** A code that is known today, or one that was added since. */
export type AnyProblemCode = ProblemCode | (string & {})

/** The body of a refusal: problem details (RFC 9457). */
export interface ProblemBody extends Omit<ProblemDetails, 'code'> {
  code: AnyProblemCode
  [extension: string]: unknown
}

/** Thrown for every answer that is not a success. Switch on `code`, which is stable, and not on texts. */
export class FrontdeskProblem extends Error {
  readonly status: number
  /** `unknown` if a server other than Frontdesk answered. */
  readonly code: AnyProblemCode
  readonly problem: ProblemBody | undefined
  /** The `Retry-After` of the answer, in seconds. */
  readonly retryAfter: number | undefined

  constructor(status: number, problem: ProblemBody | undefined, retryAfter?: number) {
    super(problem === undefined ? `HTTP ${status}` : describe(problem))
    this.name = 'FrontdeskProblem'
    this.status = status
    this.code = problem?.code ?? 'unknown'
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

/** 400: the request does not match its schema; `problem.errors` points at the faulty members. */
export class MalformedRequestProblem extends FrontdeskProblem {}
/** 401: your credentials, access token or site key were refused. */
export class UnauthorizedProblem extends FrontdeskProblem {}
/** 403: your client lacks the scope or has no access to that practice management system. */
export class ForbiddenProblem extends FrontdeskProblem {}
/** 404: what you named does not exist, or you may not see it. */
export class NotFoundProblem extends FrontdeskProblem {}
/** 422: the request is well formed, but a rule refused it. `code` says which. */
export class UnprocessableProblem extends FrontdeskProblem {}
/** 429, after all tries. `retryAfter` says when you may try again. */
export class TooManyRequestsProblem extends FrontdeskProblem {}
/** Any other 4xx, such as a 409. */
export class UserErrorProblem extends FrontdeskProblem {}
/** 5xx; 502, 503 and 504 after all tries. */
export class ServerErrorProblem extends FrontdeskProblem {}

/** Thrown after all tries if there was no answer; `cause` says why. The request may have had its effect. */
export class FrontdeskUnreachable extends Error {
  constructor(url: string, cause: unknown) {
    super(`no answer from ${url}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'FrontdeskUnreachable'
  }
}

const byStatus: Record<number, typeof FrontdeskProblem> = {
  400: MalformedRequestProblem,
  401: UnauthorizedProblem,
  403: ForbiddenProblem,
  404: NotFoundProblem,
  422: UnprocessableProblem,
  429: TooManyRequestsProblem,
}

/** Returns the problem of a response. A body that is not Frontdesk's, such as a proxy's page, is left out. */
export function problemOf(status: number, text: string, retryAfter: number | undefined): FrontdeskProblem {
  const Problem = byStatus[status] ?? (status >= 500 ? ServerErrorProblem : UserErrorProblem)
  return new Problem(status, parseProblem(status, text), retryAfter)
}

function parseProblem(status: number, text: string): ProblemBody | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isProblemBody(body) ? body : oauthError(status, body)
  } catch {
    return undefined
  }
}

/** Reads an error of the token endpoint (RFC 6749 section 5.2). */
function oauthError(status: number, body: unknown): ProblemBody | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
  const code = String(body.error)
  const title = 'error_description' in body ? String(body.error_description) : code
  return { type: 'about:blank', title, status, code }
}

function describe({ status, code, title, detail, errors }: ProblemBody): string {
  const faults = (errors ?? []).map((fault) => `${fault.pointer} ${fault.detail}`).join('; ')
  return `${status} ${code}: ${detail ?? title}${faults === '' ? '' : ` (${faults})`}`
}

/** Returns whether a parsed body is one of Frontdesk's problems. */
export function isProblemBody(value: unknown): value is ProblemBody {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'status' in value
  )
}
