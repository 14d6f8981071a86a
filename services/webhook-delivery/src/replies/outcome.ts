import { meaningOf, type Reply } from './reply.ts'
import { parseRetryAfter } from './retry-after.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Every delivery ends 14 days after its event. */
export const longestLifeMs = 14 * 24 * hour
/** No delivery is sent again after so many attempts, whoever asks for it: each attempt leaves a row. */
export const mostAttempts = 1_000

/** How far a delivery has come, in epoch milliseconds by Postgres's clock. */
export interface Progress {
  /** Attempts that count against the schedule. */
  step: number
  /** When it ends in any case. */
  endsAt: number
  /** `expirytime` of the event: not delivered after it. */
  expiresAt: number | undefined
  /** How often in a row the endpoint has answered 429 without saying for how long. */
  throttleStep: number
}

/** The waits after each failed attempt in milliseconds, and the source of jitter (0 to 1, as Math.random). */
export interface RetryPolicy {
  waitsMs: readonly number[]
  random: () => number
}

/** The next state of a delivery after a reply. */
export type Outcome =
  | { state: 'delivered' }
  | { state: 'rejected'; gone: boolean }
  | { state: 'exhausted' }
  | {
      state: 'pending'
      /** Until the next attempt. */
      waitMs: number
      /** Whether the attempt counts against the schedule. */
      charged: boolean
      /** For how long the whole endpoint is left alone. */
      throttleMs?: number
    }

/** Decides by the reply whether a delivery has ended, and otherwise when it is tried again. */
export function decideOutcome(progress: Progress, reply: Reply, now: number, policy: RetryPolicy): Outcome {
  const meaning = meaningOf(reply)
  const retryAfter = reply.kind === 'answer' ? parseRetryAfter(reply.retryAfter, now) : undefined
  switch (meaning) {
    case 'accepted':
      return { state: 'delivered' }
    case 'rejected':
    case 'gone':
      return { state: 'rejected', gone: meaning === 'gone' }
    case 'throttled': {
      const throttleMs = retryAfter ?? throttleWait(progress.throttleStep)
      return { state: 'pending', waitMs: within(progress, later(throttleMs, policy), now), charged: false, throttleMs }
    }
    case 'later':
    case 'failed': {
      const scheduled = policy.waitsMs[progress.step]
      if (scheduled === undefined) return { state: 'exhausted' }
      const waitMs =
        meaning === 'later' && retryAfter !== undefined ? later(retryAfter, policy) : jittered(scheduled, policy)
      return { state: 'pending', waitMs: within(progress, waitMs, now), charged: true }
    }
  }
}

/** Decides whether a due delivery is sent, or ends unsent. */
export function decideAttempt(
  progress: Pick<Progress, 'endsAt' | 'expiresAt'>,
  now: number,
): 'send' | 'expired' | 'exhausted' {
  if (progress.expiresAt !== undefined && progress.expiresAt <= now) return 'expired'
  return progress.endsAt <= now ? 'exhausted' : 'send'
}

/** 30 s, doubling to an hour. */
function throttleWait(step: number): number {
  return Math.min(hour, 30 * second * 2 ** Math.min(step, 7))
}

/** 20 % either way. */
function jittered(waitMs: number, { random }: RetryPolicy): number {
  return Math.round(waitMs * (0.8 + random() * 0.4))
}

/** Never earlier than asked for: the jitter is added, at most half a minute of it. */
function later(waitMs: number, { random }: RetryPolicy): number {
  return Math.round(waitMs + random() * Math.min(waitMs * 0.2, 30 * second))
}

/** At most until the delivery's end: then `decideAttempt` ends it. */
function within({ endsAt, expiresAt }: Progress, waitMs: number, now: number): number {
  return Math.max(0, Math.min(waitMs, endsAt - now, (expiresAt ?? Infinity) - now))
}
