import { problem, type ProblemError, type ProblemFault } from '@frontdesk/problems'

// Provider failures are typed by what to do next: tell the caller, wait and try again, find out, or call an operator.

/** Why a provider (or our own check, before it is asked) refuses for good. Each is a problem code but the last two. */
export type RefusalReason =
  | 'declined'
  | 'provider_rejected'
  | 'amount_too_small'
  | 'amount_too_large'
  | 'amount_not_representable'
  | 'currency_unsupported'
  | 'statement_descriptor_refused'
  | 'account_not_deletable'
  | 'account_invalid'
  | 'not_found'

export interface RefusalDetails {
  /** The provider's own error code, such as `card_declined`. */
  code?: string | undefined
  declineCode?: string | undefined
  /** The provider's name of the parameter at fault. */
  param?: string | undefined
  /** What is at fault in our own request, where we know it. */
  faults?: ProblemFault[] | undefined
  /** The provider's request id, for its support. */
  requestId?: string | undefined
}

/** Give up: the provider will not do this, and has not done it. */
export class ProviderRefused extends Error {
  readonly reason: RefusalReason
  readonly details: RefusalDetails

  constructor(reason: RefusalReason, message: string, details: RefusalDetails = {}, cause?: unknown) {
    super(message, { cause })
    this.name = 'ProviderRefused'
    this.reason = reason
    this.details = details
  }
}

/** Try again after `retryAfterMs`: nothing was done (connection refused, breaker open, rate limited, a read that failed). */
export class ProviderUnavailable extends Error {
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number, cause?: unknown) {
    super(message, { cause })
    this.name = 'ProviderUnavailable'
    this.retryAfterMs = retryAfterMs
  }
}

/** Find out: it may have been done or not (time-out, connection lost, 5xx). Repeat it with the same idempotency key. */
export class ProviderOutcomeUnknown extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ProviderOutcomeUnknown'
  }
}

/** Call an operator: our credentials are refused (`credentials`), or a key was reused with other parameters (`idempotency`: our bug). */
export class ProviderMisconfigured extends Error {
  readonly kind: 'credentials' | 'idempotency'

  constructor(kind: 'credentials' | 'idempotency', message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ProviderMisconfigured'
    this.kind = kind
  }
}

export type ProviderError = ProviderRefused | ProviderUnavailable | ProviderOutcomeUnknown | ProviderMisconfigured

/** Tells whether a thrown value is one of the four provider errors. */
export function isProviderError(error: unknown): error is ProviderError {
  return (
    error instanceof ProviderRefused ||
    error instanceof ProviderUnavailable ||
    error instanceof ProviderOutcomeUnknown ||
    error instanceof ProviderMisconfigured
  )
}

/**
 * The problem that a client sees for a provider error; `extensions` are added to its body (such as `RecordId`).
 * The provider's code and parameter go out, its message and body never (reference payments.md 2a, "Error map").
 */
export function providerProblem(error: ProviderError, extensions: Record<string, unknown> = {}): ProblemError {
  if (error instanceof ProviderUnavailable) {
    const retryAfter = Math.max(1, Math.ceil(error.retryAfterMs / 1000))
    return problem('provider_unavailable', { retryAfter, extensions, cause: error })
  }
  if (error instanceof ProviderOutcomeUnknown) {
    return problem('provider_outcome_unknown', { retryAfter: 1, extensions, cause: error })
  }
  if (error instanceof ProviderMisconfigured) {
    return problem(error.kind === 'credentials' ? 'provider_credentials' : 'internal_error', {
      extensions,
      cause: error,
    })
  }
  const { code, declineCode, param, faults } = error.details
  return problem(problemCode(error.reason), {
    ...(faults === undefined ? {} : { detail: error.message, errors: faults }),
    extensions: { ...extensions, ...present({ providerCode: code, declineCode, providerParam: param }) },
    cause: error,
  })
}

function problemCode(reason: RefusalReason) {
  if (reason === 'account_invalid') return 'provider_account_not_ready'
  return reason === 'not_found' ? 'provider_rejected' : reason
}

function present(members: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
