import Stripe from 'stripe'
import type { AttemptFailure } from '../calls.ts'
import {
  ProviderMisconfigured,
  ProviderOutcomeUnknown,
  ProviderRefused,
  ProviderUnavailable,
  type ProviderError,
  type RefusalReason,
  type UnreadableAnswer,
} from '../errors.ts'
import { TransportFailure } from '../http.ts'
import { unreadable } from './answers.ts'

/**
 * Types a failed attempt by what to do next. Whatever is not a failure of the SDK came from reading the answer, after the
 * effect.
 */
export function attemptFailure(error: unknown): AttemptFailure {
  if (!(error instanceof Stripe.errors.StripeError)) return misunderstood(unreadable(error))
  const lost: unknown = error.detail
  if (lost instanceof TransportFailure) return transportAttempt(lost)

  const advice = header(error, 'stripe-should-retry')
  const status = error.statusCode ?? 0
  if (error instanceof Stripe.errors.StripeRateLimitError) {
    const limited = rateLimited(error)
    const slowDownMs = isOfOneObject(error) ? undefined : limited.retryAfterMs
    return { error: limited, answered: true, retry: advice === 'true', slowDownMs }
  }
  if (error instanceof Stripe.errors.StripeIdempotencyError) {
    return final(new ProviderMisconfigured('idempotency', error.message, error))
  }
  if (status === 401 || (status === 403 && error.code !== 'account_invalid')) {
    return final(new ProviderMisconfigured('credentials', `the provider refused our credentials (${status})`, error))
  }
  // Stripe has saved the failure of an earlier attempt, and repeats it for as long as it keeps the key.
  const isSaved = status >= 500 && header(error, 'idempotent-replayed') === 'true'
  if (isSaved) {
    const text = `the provider has saved its answer ${status} under this key`
    return { error: new ProviderOutcomeUnknown(text, error), answered: true, retry: true, isSaved }
  }
  // 409 means that the key or a lock is in use: an earlier attempt may still be running.
  if (status === 409 || status >= 500 || status === 0) {
    const unknown = new ProviderOutcomeUnknown(`the provider answered ${status || 'something unreadable'}`, error)
    return { error: unknown, answered: status === 409, retry: advice !== 'false' }
  }
  return final(refusal(error))
}

function final(error: ProviderError): AttemptFailure {
  return { error, answered: true, retry: false }
}

/** A repetition would get the same answer. */
function misunderstood(answer: UnreadableAnswer): AttemptFailure {
  const text = `we do not understand the provider's answer: ${answer.message}`
  return { error: new ProviderOutcomeUnknown(text, answer), answered: true, retry: false }
}

function transportAttempt(lost: TransportFailure): AttemptFailure {
  if (lost.status === 429)
    return {
      error: new ProviderUnavailable(lost.message, 1_000, lost),
      answered: true,
      retry: false,
      slowDownMs: 1_000,
    }
  const error = lost.reached
    ? new ProviderOutcomeUnknown(lost.message, lost)
    : new ProviderUnavailable(lost.message, 1_000, lost)
  return { error, answered: false, retry: true }
}

function rateLimited(error: Stripe.errors.StripeError): ProviderUnavailable {
  const seconds = Number(header(error, 'retry-after'))
  return new ProviderUnavailable('the provider rate-limits us', seconds > 0 ? seconds * 1000 : 1_000, error)
}

/** Whether a limit is that of one object, such as a lock: other calls are not too fast. */
function isOfOneObject(error: Stripe.errors.StripeError): boolean {
  return error.code === 'lock_timeout' || header(error, 'stripe-rate-limited-reason') === 'resource-specific'
}

function header(error: Stripe.errors.StripeError, name: string): string | undefined {
  return error.headers?.[name]
}

function refusal(error: Stripe.errors.StripeError): ProviderRefused {
  const details = {
    code: error.code,
    declineCode: error.decline_code || undefined,
    param: error.param,
    requestId: error.requestId,
  }
  return new ProviderRefused(refusalReason(error), error.message, details, error)
}

function refusalReason(error: Stripe.errors.StripeError): RefusalReason {
  const { code, param = '' } = error
  if (error instanceof Stripe.errors.StripeCardError) return 'declined'
  // The object in the path. For a missing object that a parameter names, Stripe answers 400.
  if (error.statusCode === 404) return 'not_found'
  if (code === 'amount_too_small' || code === 'amount_too_large' || code === 'account_invalid') return code
  if (/(^|\[)currency\]?$/.test(param)) return 'currency_unsupported'
  if (/statement_descriptor/.test(param)) return 'statement_descriptor_refused'
  return 'provider_rejected'
}
