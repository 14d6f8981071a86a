/** Sleeps until a time, or until somebody has something to say. */
export interface Alarm {
  /** Ends the sleep, or the next one before it begins. */
  wake(): void
  /** Until a monotonic time, at most `longestMs`. */
  sleepUntil(at: number): Promise<void>
}

export function createAlarm(longestMs: number): Alarm {
  let woken = false
  let wakeUp = () => {}
  return {
    wake() {
      woken = true
      wakeUp()
    },
    async sleepUntil(at) {
      const milliseconds = Math.min(at - performance.now(), longestMs)
      if (!woken && milliseconds > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds)
          wakeUp = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        wakeUp = () => {}
      }
      woken = false
    },
  }
}
