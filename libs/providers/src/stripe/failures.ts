import Stripe from 'stripe'
import {
  ProviderMisconfigured,
  ProviderOutcomeUnknown,
  ProviderRefused,
  ProviderUnavailable,
  type ProviderError,
  type RefusalReason,
} from '../errors.ts'
import { TransportFailure } from './transport.ts'

/** A failed attempt: the error for the caller, and whether to try again within the call. */
export interface AttemptFailure {
  error: ProviderError
  /** The provider gave an answer, so the breaker counts it as up. */
  answered: boolean
  retry: boolean
}

/**
 * Types a failed attempt by what to do next.
 * Throws any error that is not the SDK's: it is a defect of ours.
 */
export function attemptFailure(error: unknown): AttemptFailure {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  const lost: unknown = error.detail
  if (lost instanceof TransportFailure) return transportAttempt(lost)

  const advice = header(error, 'stripe-should-retry')
  const status = error.statusCode ?? 0
  if (error instanceof Stripe.errors.StripeRateLimitError) {
    return { error: rateLimited(error), answered: true, retry: advice === 'true' }
  }
  if (error instanceof Stripe.errors.StripeIdempotencyError) {
    return final(new ProviderMisconfigured('idempotency', error.message, error))
  }
  if (status === 401 || (status === 403 && error.code !== 'account_invalid')) {
    return final(new ProviderMisconfigured('credentials', `the provider refused our credentials (${status})`, error))
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

function transportAttempt(lost: TransportFailure): AttemptFailure {
  if (lost.status === 429)
    return { error: new ProviderUnavailable(lost.message, 1_000, lost), answered: true, retry: false }
  const error = lost.reached
    ? new ProviderOutcomeUnknown(lost.message, lost)
    : new ProviderUnavailable(lost.message, 1_000, lost)
  return { error, answered: false, retry: true }
}

function rateLimited(error: Stripe.errors.StripeError): ProviderUnavailable {
  const seconds = Number(header(error, 'retry-after'))
  return new ProviderUnavailable('the provider rate-limits us', seconds > 0 ? seconds * 1000 : 1_000, error)
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
