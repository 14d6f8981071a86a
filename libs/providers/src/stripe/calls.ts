import { setTimeout as sleep } from 'node:timers/promises'
import type { EventData } from '@frontdesk/contracts'
import type { Breaker } from '@frontdesk/service/calls'
import type Stripe from 'stripe'
import { isProviderError, ProviderOutcomeUnknown, ProviderUnavailable, type ProviderError } from '../errors.ts'
import { attemptFailure, type AttemptFailure } from './failures.ts'

export interface CallOptions {
  /** The connected account that the call acts on (direct charges). */
  account?: string | undefined
  idempotencyKey?: string | undefined
  /** Set for reads and links, which are safe to repeat: an unknown outcome is then reported as unavailable. */
  harmless?: boolean
}

/** Makes one call to the provider within its deadline, running `attempt` once or more. Throws a ProviderError. */
export type Call = <T>(operation: string, options: CallOptions, attempt: Attempt<T>) => Promise<T>
export type Attempt<T> = (options: Stripe.RequestOptions) => Promise<T>

/** A finished call, for logs and metrics. */
export interface FinishedCall {
  operation: string
  outcome: EventData<'provider.call.finished'>['outcome']
  durationMs: number
  attempts: number
  error?: ProviderError | undefined
}

export interface CallSettings {
  /** Of the whole call, in milliseconds. */
  deadlineMs: number
  breaker: Breaker
  finished(call: FinishedCall): void
}

const maxAttempts = 3
const firstPauseMs = 100
/** No attempt starts with less time left: it would only make the outcome unknown. */
const shortestAttemptMs = 500

/** Returns a Call with a breaker, retries under one idempotency key, and one deadline for all attempts. */
export function createCall({ deadlineMs, breaker, finished }: CallSettings): Call {
  return async (operation, options, attempt) => {
    const started = performance.now()
    const progress = { attempts: 0 }
    const report = (outcome: FinishedCall['outcome'], error?: ProviderError) =>
      finished({ operation, outcome, error, durationMs: performance.now() - started, attempts: progress.attempts })
    try {
      admit(breaker)
      const result = await attempts(attempt, options, started + deadlineMs, breaker, progress)
      report('ok')
      return result
    } catch (error) {
      if (isProviderError(error)) report(outcomeOf(error), error)
      throw error
    }
  }
}

function admit(breaker: Breaker) {
  const waitMs = breaker.admit()
  if (waitMs > 0) throw new ProviderUnavailable('calls to the provider are paused after repeated failures', waitMs)
}

async function attempts<T>(
  attempt: Attempt<T>,
  options: CallOptions,
  deadline: number,
  breaker: Breaker,
  progress: { attempts: number },
) {
  let mayHaveTakenEffect = false
  for (;;) {
    progress.attempts += 1
    const left = deadline - performance.now()
    // The first attempt gets half the time, so that a lost request or answer leaves time for a second one.
    const timeout = Math.ceil(progress.attempts === 1 ? left / 2 : left)
    let failure: AttemptFailure
    try {
      const result = await attempt(requestOptions(options, timeout))
      breaker.answered()
      return result
    } catch (error) {
      failure = settled(error, breaker)
    }
    if (failure.error instanceof ProviderOutcomeUnknown) mayHaveTakenEffect = true
    const pause = firstPauseMs * 2 ** (progress.attempts - 1) * (0.5 + Math.random())
    const mayTryAgain = failure.retry && progress.attempts < maxAttempts
    if (!mayTryAgain || deadline - performance.now() - pause < shortestAttemptMs) {
      if (failure.answered) breaker.answered()
      else breaker.failed()
      throw verdict(failure.error, mayHaveTakenEffect, options)
    }
    await sleep(pause)
  }
}

/** Types a failed attempt. A defect of ours is thrown on, after freeing the breaker: it may be waiting for this probe. */
function settled(error: unknown, breaker: Breaker): AttemptFailure {
  try {
    return attemptFailure(error)
  } catch (defect) {
    breaker.answered()
    throw defect
  }
}

function requestOptions({ account, idempotencyKey }: CallOptions, timeout: number): Stripe.RequestOptions {
  return {
    timeout,
    maxNetworkRetries: 0,
    ...(account === undefined ? {} : { stripeAccount: account }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  }
}

/** Returns the last attempt's error, unless an earlier attempt may have taken effect or the call is harmless. */
function verdict(error: ProviderError, mayHaveTakenEffect: boolean, { harmless = false }: CallOptions): ProviderError {
  if (harmless && error instanceof ProviderOutcomeUnknown) return new ProviderUnavailable(error.message, 1_000, error)
  if (!harmless && mayHaveTakenEffect && error instanceof ProviderUnavailable) {
    return new ProviderOutcomeUnknown(error.message, error)
  }
  return error
}

function outcomeOf(error: ProviderError): FinishedCall['outcome'] {
  if (error instanceof ProviderUnavailable) return 'unavailable'
  if (error instanceof ProviderOutcomeUnknown) return 'unknown'
  return error.name === 'ProviderRefused' ? 'refused' : 'misconfigured'
}
