import { problem, type ProblemError } from '@frontdesk/problems'
import type { Telemetry } from '../telemetry.ts'
import { createTokenBuckets, type Quota, type QuotaState } from './token-bucket.ts'

/** A named quota, as `RateLimit-Policy` tells it. */
export interface Policy extends Quota {
  name: string
}

export const clientQuota: Quota = { requests: 200, windowSeconds: 2 }
export const siteKeyPolicy: Policy = { name: 'site-key', requests: 40, windowSeconds: 2 }
export const failedLoginPolicy: Policy = { name: 'failed-logins', requests: 10, windowSeconds: 60 }

/** Whose quota a request uses. */
export interface Allowance {
  /** Unique among all callers. */
  key: string
  policy: Policy
}

/** Headers for a response, as draft-ietf-httpapi-ratelimit-headers-11 has them. */
export type RateLimitHeaders = Record<'ratelimit' | 'ratelimit-policy', string>

/** The rate limits of this copy of the gateway. */
export interface RateLimits {
  /** Counts a request. Returns the headers of its response; throws `rate_limited` with them where the quota is used up. */
  admit(allowance: Allowance): RateLimitHeaders
  /** Throws `rate_limited` where too many logins of that client from that address have failed. */
  beforeLogin(clientId: string, address: string): void
  loginFailed(clientId: string, address: string): void
}

/** Makes the rate limits. `now`: milliseconds that never go back. */
export function createRateLimits(telemetry: Telemetry, now: () => number = () => performance.now()): RateLimits {
  const callers = createTokenBuckets()
  const failedLogins = createTokenBuckets()

  function refused(policy: Policy, state: QuotaState): ProblemError {
    telemetry.rateLimited.inc({ policy: policy.name })
    return problem('rate_limited', {
      detail: `The quota is ${policy.requests} requests in ${policy.windowSeconds} seconds.`,
      retryAfter: state.secondsToReset,
      headers: headersOf(policy, state),
      extensions: { 'violated-policies': [policy.name] },
    })
  }

  return {
    admit({ key, policy }) {
      const state = callers.take(key, policy, now())
      if (!state.allowed) throw refused(policy, state)
      return headersOf(policy, state)
    },
    beforeLogin(clientId, address) {
      const state = failedLogins.look(loginKey(clientId, address), failedLoginPolicy, now())
      if (!state.allowed) throw refused(failedLoginPolicy, state)
    },
    loginFailed(clientId, address) {
      failedLogins.take(loginKey(clientId, address), failedLoginPolicy, now())
    },
  }
}

// A client id that is longer than any real one does not get to fill our memory.
const loginKey = (clientId: string, address: string) => `${address} ${clientId.slice(0, 128)}`

function headersOf(policy: Policy, state: QuotaState): RateLimitHeaders {
  return {
    'ratelimit-policy': `"${policy.name}";q=${policy.requests};w=${policy.windowSeconds}`,
    ratelimit: `"${policy.name}";r=${state.remaining};t=${state.secondsToReset}`,
  }
}
