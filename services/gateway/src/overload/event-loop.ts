import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

/** The state of the event loop since the last look. */
export interface EventLoopState {
  /** The average delay of a timer, in milliseconds. */
  delayMs: number
  /** The share of time in which the loop was busy: 0 to 1. */
  utilisation: number
}

export interface EventLoop extends Disposable {
  look(): EventLoopState
}

const resolution = 20

/** Watches the event loop of this process. It averages, since one long pause of the garbage collector is no overload. */
export function watchEventLoop(): EventLoop {
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  let since = performance.now()
  let utilisation = performance.eventLoopUtilization()

  return {
    look() {
      const now = performance.now()
      // If no timer fired at all, the whole time was the delay.
      const delayMs = delays.count === 0 ? now - since : Math.max(0, delays.mean / 1e6 - resolution)
      delays.reset()
      since = now
      const before = utilisation
      utilisation = performance.eventLoopUtilization()
      return { delayMs, utilisation: performance.eventLoopUtilization(utilisation, before).utilization }
    },
    [Symbol.dispose]: () => void delays.disable(),
  }
}
