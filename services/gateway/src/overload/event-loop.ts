import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

/** How the event loop fared since the last look. */
export interface EventLoopState {
  /** How late a timer fires, in milliseconds, on average. */
  delayMs: number
  /** The part of the time in which it was not waiting for anything: 0 to 1. */
  utilisation: number
}

export interface EventLoop extends Disposable {
  look(): EventLoopState
}

const resolution = 20

/** Watches the event loop of this process. The average of a second: one long pause of the garbage collector is no overload. */
export function watchEventLoop(): EventLoop {
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  let since = performance.now()
  let utilisation = performance.eventLoopUtilization()

  return {
    look() {
      const now = performance.now()
      // Without a single timer in all that time, it was the delay.
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
