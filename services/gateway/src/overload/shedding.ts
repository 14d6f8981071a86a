import type { ServerResponse } from 'node:http'
import { problem, type ProblemError } from '@frontdesk/problems'
import type { Logger } from 'pino'
import type { GatewayMetrics } from '../metrics.ts'
import type { EventLoop } from './event-loop.ts'

export interface SheddingDeps {
  /** Requests under way at a time, by source. */
  maxInFlight: Readonly<Record<Source, number>>
  /** Returns the requests whose bodies are on their way, which are not limited here. */
  arriving: () => number
  maxEventLoopDelayMs: number
  /** 0 to 1. Undefined: a busy event loop alone is no overload. */
  maxEventLoopUtilisation?: number | undefined
  eventLoop: EventLoop
  metrics: GatewayMetrics
  log: Logger
}

/**
 * Who sent a request. A provider's webhooks have a limit of their own: one that is refused comes back, and payments asks the
 * provider meanwhile, so refusing it costs more than storing it. And forged ones cannot use up what is there for clients.
 */
export type Source = 'clients' | 'providers'

/** Refuses requests while the process is overloaded (docs/decisions/007). */
export interface Shedding extends Disposable {
  /** Counts a request until its response has ended or its connection is closed. Throws `overloaded`. */
  admit(response: ServerResponse, source: Source): void
}

const lookEveryMs = 1_000

/** Starts to watch the load of this process. */
export function startShedding(deps: SheddingDeps): Shedding {
  const {
    maxInFlight,
    arriving,
    maxEventLoopDelayMs,
    maxEventLoopUtilisation = Infinity,
    eventLoop,
    metrics,
    log,
  } = deps
  const inFlight: Record<Source, number> = { clients: 0, providers: 0 }
  let share = 1
  let credit = 0
  let shed = 0
  let wasShedding = false
  metrics.inFlight(() => ({ ...inFlight, arriving: arriving() }))
  const ended = { clients: () => void (inFlight.clients -= 1), providers: () => void (inFlight.providers -= 1) }

  function look(): void {
    const state = eventLoop.look()
    share = nextShare(share, state.delayMs > maxEventLoopDelayMs || state.utilisation > maxEventLoopUtilisation)
    const isShedding = shed > 0 || share < 1
    // Only when it begins and ends: a line for each refused request would add to the load.
    if (isShedding !== wasShedding) {
      if (isShedding) log.warn({ ...inFlight, ...state }, 'overloaded: refusing a part of the requests')
      else log.info({ ...inFlight }, 'no longer overloaded')
    }
    wasShedding = isShedding
    shed = 0
  }
  const timer = setInterval(look, lookEveryMs)
  timer.unref()

  function refused(reason: 'in_flight' | 'webhooks' | 'event_loop'): ProblemError {
    shed += 1
    metrics.shed.inc({ reason })
    return overloaded()
  }

  return {
    admit(response, source) {
      if (inFlight[source] >= maxInFlight[source]) throw refused(source === 'providers' ? 'webhooks' : 'in_flight')
      if (share < 1) {
        credit += share
        if (credit < 1) throw refused('event_loop')
        credit -= 1
      }
      inFlight[source] += 1
      response.once('close', ended[source])
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
