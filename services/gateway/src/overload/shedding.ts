import type { ServerResponse } from 'node:http'
import { problem, type ProblemError } from '@frontdesk/problems'
import type { Logger } from 'pino'
import type { Telemetry } from '../telemetry.ts'
import { nextShare } from './admitted-share.ts'
import type { EventLoop } from './event-loop.ts'

export interface SheddingOptions {
  /** Requests under way at a time, in all. */
  maxInFlight: number
  /** Milliseconds. */
  maxEventLoopDelay: number
  /** 0 to 1. Absent: a busy loop is no overload while it is not late. */
  maxEventLoopUtilisation?: number | undefined
  eventLoop: EventLoop
  telemetry: Telemetry
  log: Logger
}

/** Refuses what would only make everything slower (design section 5, "Errors": 503 with `Retry-After`). */
export interface Shedding extends Disposable {
  /** Counts a request until its response has ended or its connection is gone. Throws `overloaded`. */
  admit(response: ServerResponse): void
}

const lookEveryMs = 1_000

/** Starts to watch the load of this process, until it is disposed of. */
export function startShedding(options: SheddingOptions): Shedding {
  const { maxInFlight, maxEventLoopDelay, maxEventLoopUtilisation = Infinity, eventLoop, telemetry, log } = options
  let inFlight = 0
  let share = 1
  let credit = 0
  let shed = 0
  let wasShedding = false
  telemetry.inFlight(() => inFlight)
  const ended = () => void (inFlight -= 1)

  function look(): void {
    const state = eventLoop.look()
    share = nextShare(share, state.delayMs > maxEventLoopDelay || state.utilisation > maxEventLoopUtilisation)
    const isShedding = shed > 0 || share < 1
    // Once when it begins and ends: a line for each refused request would be load of its own.
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
    telemetry.shed.inc({ reason })
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

/** The refusal; its `Retry-After` spreads those who come back. */
export function overloaded(): ProblemError {
  return problem('overloaded', { retryAfter: 1 + Math.floor(Math.random() * 3) })
}
