import type { ServerResponse } from 'node:http'
import { problem, type ProblemError } from '@frontdesk/problems'
import type { Logger } from 'pino'
import type { GatewayMetrics } from '../metrics.ts'
import type { EventLoop } from './event-loop.ts'

export interface SheddingDeps {
  /** Requests under way at a time, in all. */
  maxInFlight: number
  maxEventLoopDelayMs: number
  /** 0 to 1. Undefined: a busy event loop alone is no overload. */
  maxEventLoopUtilisation?: number | undefined
  eventLoop: EventLoop
  metrics: GatewayMetrics
  log: Logger
}

/** Refuses requests while the process is overloaded (docs/decisions/007). */
export interface Shedding extends Disposable {
  /** Counts a request until its response has ended or its connection is closed. Throws `overloaded`. */
  admit(response: ServerResponse): void
}

const lookEveryMs = 1_000

/** Starts to watch the load of this process. */
export function startShedding(deps: SheddingDeps): Shedding {
  const { maxInFlight, maxEventLoopDelayMs, maxEventLoopUtilisation = Infinity, eventLoop, metrics, log } = deps
  let inFlight = 0
  let share = 1
  let credit = 0
  let shed = 0
  let wasShedding = false
  metrics.inFlight(() => inFlight)
  const ended = () => void (inFlight -= 1)

  function look(): void {
    const state = eventLoop.look()
    share = nextShare(share, state.delayMs > maxEventLoopDelayMs || state.utilisation > maxEventLoopUtilisation)
    const isShedding = shed > 0 || share < 1
    // Only when it begins and ends: a line for each refused request would add to the load.
    if (isShedding !== wasShedding) {
      if (isShedding) log.warn({ inFlight, ...state }, 'overloaded: refusing a part of the requests')
      else log.info({ inFlight }, 'no longer overloaded')
    }
    wasShedding = isShedding
    shed = 0
  }
  const timer = setInterval(look, lookEveryMs)
  timer.unref()

  function refused(reason: 'in_flight' | 'event_loop'): ProblemError {
    shed += 1
    metrics.shed.inc({ reason })
    return overloaded()
  }

  return {
    admit(response) {
      if (inFlight >= maxInFlight) throw refused('in_flight')
      if (share < 1) {
        credit += share
        if (credit < 1) throw refused('event_loop')
        credit -= 1
      }
      inFlight += 1
      response.once('close', ended)
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      eventLoop[Symbol.dispose]()
    },
  }
}

/** Returns the problem of a refused request, with a random `Retry-After` so that clients do not come back together. */
export function overloaded(): ProblemError {
  return problem('overloaded', { retryAfter: 1 + Math.floor(Math.random() * 3) })
}

/** Never zero: without requests the gateway could not see whether the load has gone. */
const leastShare = 1 / 32

/**
 * Returns the share of requests to admit until the next look at the event loop: half of the present share if it is
 * overloaded, else a tenth more. Admitting none and then all would let the load swing up and down.
 */
export function nextShare(share: number, isOverloaded: boolean): number {
  return isOverloaded ? Math.max(share / 2, leastShare) : Math.min(share + 0.1, 1)
}
