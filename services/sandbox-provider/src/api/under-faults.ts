import { setTimeout as pause } from 'node:timers/promises'
import type { Faults } from '../faults/faults.ts'
import { ApiError } from './errors.ts'

/** A fault that leaves an operation without an answer. */
export type NoAnswer = 'hang' | 'reset'

/**
 * Runs an API operation under the faults in force.
 *
 * @returns its result, or the fault that withholds the answer although the operation has had its effect
 * @throws ApiError for a fault that answers with an error
 */
export async function underFaults<Result>(faults: Faults, perform: () => Promise<Result>): Promise<Result | NoAnswer> {
  const slow = faults.api('slow')
  if (slow !== undefined) await pause(slow.ms ?? 50)
  refuse(faults)
  const result = await perform()
  if (faults.api('errorAfter') !== undefined) throw unknownError()
  if (faults.api('hang') !== undefined) return 'hang'
  if (faults.api('reset') !== undefined) return 'reset'
  return result
}

function refuse(faults: Faults): void {
  if (faults.isOverLimit() || faults.api('rateLimit') !== undefined) throw rateLimited(faults.rules().retryAfter)
  if (faults.api('conflict') !== undefined) {
    throw new ApiError(
      'This object cannot be accessed right now because another API request or Stripe process is currently accessing it.',
      { status: 409, code: 'lock_timeout' },
    )
  }
  if (faults.api('errorBefore') !== undefined) throw unknownError()
}

function rateLimited(retryAfter: number | undefined): ApiError {
  return new ApiError('Request rate limit exceeded. Learn more about rate limits.', {
    status: 429,
    code: 'rate_limit',
    headers: {
      'stripe-rate-limited-reason': 'global-rate',
      'stripe-should-retry': 'false',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
  })
}

/** Returns the 500 of a fault. */
export function unknownError(): ApiError {
  return new ApiError('An unknown error occurred.', { status: 500, type: 'api_error' })
}
