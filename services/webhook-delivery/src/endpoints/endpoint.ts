// How many requests an endpoint (one origin of one client) is trusted with: pure rules over a small record.

import { meaningOf, type Reply } from '../replies/reply.ts'
import { parseRetryAfter } from '../replies/retry-after.ts'

/** Requests in flight at most. */
export const widestWindow = 32
// An endpoint that hangs costs one connection until its first request has failed.
const firstWindow = 1
const slowFailuresToOpen = 5
const fastFailuresToOpen = 20

export interface EndpointHealth {
  /** Requests it may have in flight: grows with each success, halves with each slow failure. */
  window: number
  /** Failures in a row. */
  failures: number
  /** The breaker is open: one probe at a time. */
  open: boolean
  /** Nothing is sent before this time (monotonic milliseconds): the breaker's wait, or a silence the endpoint asked for. */
  quietUntil: number
  /** The breaker's next wait. */
  openWaitMs: number
  /** How often in a row it answered 429 without a time. */
  throttleStep: number
}

/** The breaker's waits between probes. */
export interface BreakerWaits {
  firstMs: number
  longestMs: number
}

export function newEndpoint(waits: BreakerWaits): EndpointHealth {
  return { window: firstWindow, failures: 0, open: false, quietUntil: 0, openWaitMs: waits.firstMs, throttleStep: 0 }
}

/** How many more requests may start now. An open breaker allows one, once its wait is over. */
export function allowance(endpoint: EndpointHealth, inFlight: number, now: number): number {
  if (now < endpoint.quietUntil) return 0
  return Math.max(0, (endpoint.open ? 1 : endpoint.window) - inFlight)
}

/** The endpoint's health after a reply; `throttleMs` is the silence that the reply asked for. */
export function afterReply(
  before: EndpointHealth,
  { reply, throttleMs }: { reply: Reply; throttleMs: number | undefined },
  now: number,
  waits: BreakerWaits,
): EndpointHealth {
  switch (meaningOf(reply)) {
    case 'accepted':
    case 'rejected':
    case 'gone':
      return afterAnswer(before, waits)
    case 'throttled': {
      const explained = reply.kind === 'answer' && parseRetryAfter(reply.retryAfter, 0) !== undefined
      return afterThrottle(before, now, throttleMs ?? 0, explained)
    }
    case 'later':
      return afterFailure(before, 'slow', now, waits)
    case 'failed': {
      const isQuick = reply.kind === 'answer' && reply.status !== 502 && reply.status !== 504
      return afterFailure(before, isQuick ? 'fast' : 'slow', now, waits)
    }
  }
}

/** It took the event, or rejected it for good: it works. A breaker closes, and the backlog starts slowly. */
export function afterAnswer(endpoint: EndpointHealth, waits: BreakerWaits): EndpointHealth {
  return {
    window: endpoint.open ? 2 : Math.min(widestWindow, endpoint.window + 1),
    failures: 0,
    open: false,
    quietUntil: endpoint.open ? 0 : endpoint.quietUntil,
    openWaitMs: waits.firstMs,
    throttleStep: 0,
  }
}

/**
 * It failed. A `slow` failure (time-out, no connection, overloaded proxy) holds a request open for long, so a few in a
 * row open the breaker. A `fast` error costs little, so it takes more of them.
 */
export function afterFailure(
  endpoint: EndpointHealth,
  kind: 'slow' | 'fast',
  now: number,
  waits: BreakerWaits,
): EndpointHealth {
  const failures = endpoint.failures + 1
  const window = kind === 'slow' ? Math.max(1, Math.floor(endpoint.window / 2)) : endpoint.window
  const next = { ...endpoint, failures, window, throttleStep: 0 }
  // Requests that started before the breaker opened say nothing new; a failed probe does.
  if (endpoint.open && now < endpoint.quietUntil) return next
  if (!endpoint.open && failures < (kind === 'slow' ? slowFailuresToOpen : fastFailuresToOpen)) return next
  return {
    ...next,
    open: true,
    quietUntil: now + endpoint.openWaitMs,
    openWaitMs: Math.min(waits.longestMs, endpoint.openWaitMs * 2),
  }
}

/** It asked for silence (429), and starts slowly afterwards. */
export function afterThrottle(
  endpoint: EndpointHealth,
  now: number,
  milliseconds: number,
  explained: boolean,
): EndpointHealth {
  return {
    ...endpoint,
    window: 1,
    failures: 0,
    open: false,
    quietUntil: Math.max(endpoint.quietUntil, now + milliseconds),
    throttleStep: explained ? 0 : endpoint.throttleStep + 1,
  }
}
