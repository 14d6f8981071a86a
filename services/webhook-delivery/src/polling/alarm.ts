/** Sleeps until a time, or until it is woken. */
export interface Alarm {
  /** Ends the sleep, or the next one before it begins. */
  wake(): void
  /** Sleeps until a monotonic time, for the alarm's `longestMs` at most. */
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
