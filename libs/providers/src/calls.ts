import { setTimeout as sleep } from 'node:timers/promises'
import type { EventData } from '@frontdesk/contracts'
import type { Breaker } from '@frontdesk/service/calls'
import {
  isProviderError,
  isUnreadable,
  ProviderOutcomeUnknown,
  ProviderUnavailable,
  type ProviderError,
} from './errors.ts'
import type { Keys } from './keys.ts'
import type { Priority } from './pacing/budget.ts'
import type { Pace } from './pacing/pace.ts'

export interface CallOptions {
  /** The connected account that the call acts on (direct charges). */
  account?: string | undefined
  idempotencyKey?: string | undefined
  /** Set for reads and links, which are safe to repeat: an unknown outcome is then reported as unavailable. */
  harmless?: boolean
}

/**
 * Makes one call to the provider within its deadline, running `attempt` once or more. If the provider has saved a failure
 * under the idempotency key and would only repeat it, the call goes on under the next key, `<key>_2`. The effect of the
 * earlier attempt is not known: give `lookUp` to find it first, unless a second effect does no harm. Throws a ProviderError.
 */
export type Call = <T>(
  operation: string,
  options: CallOptions,
  attempt: Attempt<T>,
  lookUp?: Attempt<T | undefined>,
) => Promise<T>
export type Attempt<T> = (options: AttemptOptions) => Promise<T>

export interface AttemptOptions extends Pick<CallOptions, 'account' | 'idempotencyKey'> {
  /** How long this attempt may take, in milliseconds. */
  timeoutMs: number
}

/** A failed attempt: the error for the caller, and whether to try again within the call. */
export interface AttemptFailure {
  error: ProviderError
  /** The provider gave an answer, so the breaker counts it as up. */
  answered: boolean
  retry: boolean
  /** The provider repeated a failure that it has saved under the idempotency key. */
  isSaved?: boolean
  /** The provider says that all of our calls are too fast: none may follow within this time. */
  slowDownMs?: number | undefined
}

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
  /** Each attempt waits for its turn, at most for half of the time that is left. */
  pace: Pace
  priority: Priority
  /** Shared by all calls to the provider, whatever their priority. */
  keys: Keys
  /** Types what an attempt threw, by what to do next. */
  failure(error: unknown): AttemptFailure
  finished(call: FinishedCall): void
}

const maxAttempts = 3
/** A call does not look through more keys with saved failures: an attempt is due. The next call goes on from there. */
const maxKeys = 10
const firstPauseMs = 100
/** No attempt starts with less time left: it would only make the outcome unknown. */
const shortestAttemptMs = 500

/** Returns a Call with a breaker, retries under one idempotency key, and one deadline for all attempts. */
export function createCall(settings: CallSettings): Call {
  const { deadlineMs, breaker, finished } = settings
  return async (operation, options, attempt, lookUp) => {
    const started = performance.now()
    const progress = { attempts: 0, keys: 1 }
    const report = (outcome: FinishedCall['outcome'], error?: ProviderError) =>
      finished({ operation, outcome, error, durationMs: performance.now() - started, attempts: progress.attempts })
    try {
      admit(breaker)
      const work = { options, attempt, lookUp, keys: settings.keys, deadline: started + deadlineMs }
      const result = await attempts(work, settings, progress)
      report('ok')
      return result
    } catch (error) {
      if (isProviderError(error)) report(outcomeOf(error), error)
      throw error
    }
  }
}

interface Work<T> {
  options: CallOptions
  attempt: Attempt<T>
  lookUp: Attempt<T | undefined> | undefined
  keys: Keys
  deadline: number
}

interface Progress {
  attempts: number
  /** Tried idempotency keys. */
  keys: number
}

function admit(breaker: Breaker) {
  const waitMs = breaker.admit()
  if (waitMs > 0) throw new ProviderUnavailable('calls to the provider are paused after repeated failures', waitMs)
}

async function attempts<T>(work: Work<T>, settings: CallSettings, progress: Progress) {
  const { options, deadline, keys } = work
  const { breaker, pace, priority } = settings
  let last: AttemptFailure | undefined
  let mayHaveTakenEffect = false
  for (;;) {
    const key = options.idempotencyKey && keys.current(options.idempotencyKey)
    try {
      await pace.turn(priority, (deadline - performance.now()) / 2)
      if (looksUp(work, key)) await pace.turn(priority, (deadline - performance.now()) / 2)
    } catch (error) {
      settle(breaker, last)
      throw isProviderError(error) ? verdict(error, mayHaveTakenEffect, options) : error
    }
    progress.attempts += 1
    const left = deadline - performance.now()
    // The first attempt gets half the time, so that a lost request or answer leaves time for a second one.
    const timeoutMs = Math.ceil(progress.attempts === 1 ? left / 2 : left)
    let failure: AttemptFailure
    try {
      const result = await attemptOnce(work, key, timeoutMs)
      breaker.answered()
      return result
    } catch (error) {
      failure = settings.failure(error)
    }
    last = failure
    if (failure.slowDownMs !== undefined) pace.slowDown(failure.slowDownMs)
    if (failure.error instanceof ProviderOutcomeUnknown) mayHaveTakenEffect = true
    const isOnNextKey = failure.isSaved === true && moveOn(work, key, progress)
    const pause = isOnNextKey ? 0 : firstPauseMs * 2 ** (progress.attempts - 1) * (0.5 + Math.random())
    const mayTryAgain = isOnNextKey || (failure.retry && !failure.isSaved && progress.attempts < maxAttempts)
    if (!mayTryAgain || deadline - performance.now() - pause < shortestAttemptMs) {
      settle(breaker, failure)
      throw verdict(failure.error, mayHaveTakenEffect, options)
    }
    await sleep(pause)
  }
}

/** Whether an attempt first looks up what an earlier one has done under another key. That is a call of its own. */
function looksUp<T>({ options, lookUp }: Work<T>, key: string | undefined): boolean {
  return lookUp !== undefined && key !== options.idempotencyKey
}

async function attemptOnce<T>(work: Work<T>, key: string | undefined, timeoutMs: number) {
  const { account } = work.options
  const found = looksUp(work, key) ? await work.lookUp?.({ account, timeoutMs }) : undefined
  return found ?? (await work.attempt({ account, idempotencyKey: key, timeoutMs }))
}

/** Leaves a key with a saved failure, which does not count as an attempt. Returns whether the next key may be tried. */
function moveOn<T>({ options, keys }: Work<T>, key: string | undefined, progress: Progress): boolean {
  if (options.idempotencyKey === undefined || key === undefined) return false
  keys.moveOn(options.idempotencyKey, key)
  progress.attempts -= 1
  progress.keys += 1
  return progress.keys <= maxKeys
}

/** Reports a call to the breaker, by its last attempt; undefined if there was none. */
function settle(breaker: Breaker, last: AttemptFailure | undefined): void {
  if (last === undefined) breaker.notMade()
  else if (last.answered) breaker.answered()
  else breaker.failed()
}

/** Returns the last attempt's error, unless an earlier attempt may have taken effect or the call is harmless. */
function verdict(error: ProviderError, mayHaveTakenEffect: boolean, { harmless = false }: CallOptions): ProviderError {
  if (harmless && error instanceof ProviderOutcomeUnknown) {
    return new ProviderUnavailable(error.message, isUnreadable(error) ? 60_000 : 1_000, error)
  }
  if (!harmless && mayHaveTakenEffect && error instanceof ProviderUnavailable) {
    return new ProviderOutcomeUnknown(error.message, error)
  }
  return error
}

function outcomeOf(error: ProviderError): FinishedCall['outcome'] {
  if (isUnreadable(error)) return 'unreadable'
  if (error instanceof ProviderUnavailable) return 'unavailable'
  if (error instanceof ProviderOutcomeUnknown) return 'unknown'
  return error.name === 'ProviderRefused' ? 'refused' : 'misconfigured'
}
