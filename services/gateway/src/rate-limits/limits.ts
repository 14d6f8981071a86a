import { problem, type ProblemError } from '@frontdesk/problems'
import type { GatewayMetrics } from '../metrics.ts'
import { networkOf } from './addresses.ts'
import { createTokenBuckets, type Quota, type QuotaState } from './token-bucket.ts'

/** A named quota, as in the header `RateLimit-Policy`. */
export interface Policy extends Quota {
  name: string
}

export const clientQuota: Quota = { requests: 200, windowSeconds: 2 }
export const siteKeyPolicy: Policy = { name: 'site-key', requests: 40, windowSeconds: 2 }
/** Of one client from one address. */
export const failedLoginPolicy: Policy = { name: 'failed-logins', requests: 10, windowSeconds: 60 }
/** Of all clients from one address: somebody who tries client ids has them all. */
export const failedLoginsOfAddressPolicy: Policy = {
  ...failedLoginPolicy,
  name: 'failed-logins-of-address',
  requests: 100,
}

/** Of one address: keys that nobody has, and webhooks that are refused. A key or a webhook that is right uses up nothing. */
export const unknownSiteKeyPolicy: Policy = { name: 'unknown-site-keys', requests: 100, windowSeconds: 60 }
export const refusedWebhookPolicy: Policy = { name: 'refused-webhooks', requests: 100, windowSeconds: 60 }
/** Of one onboarding link: each visit makes a link at the provider. */
export const onboardingLinkPolicy: Policy = { name: 'onboarding-link', requests: 5, windowSeconds: 60 }
/** Of one address of our pages after onboarding and checkout: each visit may ask the provider. */
export const landingPagePolicy: Policy = { name: 'landing-page', requests: 20, windowSeconds: 60 }
/** Of one address: links of ours that nobody has signed. */
export const unknownLinkPolicy: Policy = { name: 'unknown-links', requests: 60, windowSeconds: 60 }

/** The quota that a request is counted against. */
export interface Allowance {
  /** Unique among all callers. */
  key: string
  policy: Policy
}

/** Headers of a response, by draft-ietf-httpapi-ratelimit-headers-11. */
export type RateLimitHeaders = Record<'ratelimit' | 'ratelimit-policy', string>

/** The rate limits of this replica of the gateway. */
export interface RateLimits {
  /** Counts a request and returns the headers of its response. Throws `rate_limited` with them if the quota is used up. */
  admit(allowance: Allowance): RateLimitHeaders
  /**
   * Counts a failed login. Throws `rate_limited` if too many of that client from that address, or of any clients from it, have
   * failed. It is asked after the secret was checked, so that strangers cannot lock the right one out.
   */
  loginFailed(clientId: string, address: string): void
  /**
   * Counts an attempt to prove something. Throws `rate_limited` if the quota is used up. The returned function gives it back: what was
   * sent is right, or nobody could tell. `subject` is unique within the policy.
   */
  attempt(policy: Policy, subject: string): () => void
}

/** Makes the rate limits. `now` returns milliseconds of a monotonic clock. */
export function createRateLimits(metrics: GatewayMetrics, now: () => number = () => performance.now()): RateLimits {
  const callers = createTokenBuckets()
  const failedLogins = createTokenBuckets()
  const attempts = createTokenBuckets()

  function refused(policy: Policy, state: QuotaState): ProblemError {
    metrics.rateLimited.inc({ policy: policy.name })
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
    attempt(policy, subject) {
      const key = `${policy.name} ${subject}`
      const state = attempts.take(key, policy, now())
      if (!state.allowed) throw refused(policy, state)
      return () => attempts.giveBack(key, policy)
    },
    loginFailed(clientId, address) {
      const from = networkOf(address)
      for (const [key, policy] of [
        // Cut, so that long made-up client ids do not fill the memory.
        [`${from} ${clientId.slice(0, 128)}`, failedLoginPolicy],
        [from, failedLoginsOfAddressPolicy],
      ] as const) {
        const state = failedLogins.take(key, policy, now())
        if (!state.allowed) throw refused(policy, state)
      }
    },
  }
}

function headersOf(policy: Policy, state: QuotaState): RateLimitHeaders {
  return {
    'ratelimit-policy': `"${policy.name}";q=${policy.requests};w=${policy.windowSeconds}`,
    ratelimit: `"${policy.name}";r=${state.remaining};t=${state.secondsToReset}`,
  }
}
