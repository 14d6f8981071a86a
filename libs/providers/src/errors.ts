import { problem, type ProblemError, type ProblemFault } from '@frontdesk/problems'

// The type of a failure says what to do: tell the client, retry later, find out the outcome, or alert an operator.

/** Why the provider, or our own check before the call, refuses for good. All but the last two are problem codes. */
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
  /** The faulty members of our own request, if known. */
  faults?: ProblemFault[] | undefined
  /** The provider's request id, to quote to its support. */
  requestId?: string | undefined
}

/** The provider refused the request and has not acted on it. Do not retry. */
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

/** Nothing was done (connection refused, breaker open, rate limited, failed read). Retry after `retryAfterMs`. */
export class ProviderUnavailable extends Error {
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number, cause?: unknown) {
    super(message, { cause })
    this.name = 'ProviderUnavailable'
    this.retryAfterMs = retryAfterMs
  }
}

/** The provider may have acted or not (time-out, lost connection, 5xx). Repeat with the same key to find out. */
export class ProviderOutcomeUnknown extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ProviderOutcomeUnknown'
  }
}

/** Needs an operator: refused `credentials`, or an `idempotency` key that we reused with other parameters (our bug). */
export class ProviderMisconfigured extends Error {
  readonly kind: 'credentials' | 'idempotency'

  constructor(kind: 'credentials' | 'idempotency', message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ProviderMisconfigured'
    this.kind = kind
  }
}

/**
 * The provider has answered, but something that we need is not in its answer, or is of a kind that we do not know. It is
 * never thrown past the port: it is the cause of a ProviderOutcomeUnknown (the call may have had its effect) or of a
 * ProviderUnavailable (a read), and an operator must look at it.
 */
export class UnreadableAnswer extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UnreadableAnswer'
  }
}

/** Returns whether a call failed because we do not understand the provider's answer. Repeating it will not help soon. */
export function isUnreadable(error: ProviderError): boolean {
  return (
    error.cause instanceof UnreadableAnswer ||
    (error.cause instanceof Error && error.cause.cause instanceof UnreadableAnswer)
  )
}

export type ProviderError = ProviderRefused | ProviderUnavailable | ProviderOutcomeUnknown | ProviderMisconfigured

/** Returns whether a thrown value is one of the four provider errors. */
export function isProviderError(error: unknown): error is ProviderError {
  return (
    error instanceof ProviderRefused ||
    error instanceof ProviderUnavailable ||
    error instanceof ProviderOutcomeUnknown ||
    error instanceof ProviderMisconfigured
  )
}

/**
 * Returns the problem that the client gets for a provider error, with `extensions` (such as `RecordId`) added to its body.
 * The body shows the provider's code and parameter, never its message.
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
