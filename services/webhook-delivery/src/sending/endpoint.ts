// How much an endpoint is trusted with: pure rules over a small record. An endpoint is one address of one client.

/** Requests in flight at most. */
export const widestWindow = 32
const firstWindow = 8
const slowFailuresToOpen = 5
const fastFailuresToOpen = 20

export interface EndpointHealth {
  /** Requests it may have in flight: grows with each success, halves with each failure that costs time. */
  window: number
  /** Failures in a row. */
  failures: number
  /** The breaker is open: one probe at a time. */
  open: boolean
  /** Nothing is sent before this time (monotonic milliseconds): the breaker's wait, or a silence it asked for. */
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

/** How many more requests may start now. Behind an open breaker that is one, once its wait is over. */
export function allowance(endpoint: EndpointHealth, inFlight: number, now: number): number {
  if (now < endpoint.quietUntil) return 0
  return Math.max(0, (endpoint.open ? 1 : endpoint.window) - inFlight)
}

/** It took the event, or refused it for good: it works. A breaker closes, and what waited starts slowly. */
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
 * It failed. `slow`: a time-out, no connection, an overloaded proxy: what costs us time and it strength; that opens the
 * breaker after a few in a row. Errors that come quickly cost little, so it takes more of them.
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
  // The stragglers of an open breaker say nothing new; a failed probe does.
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
