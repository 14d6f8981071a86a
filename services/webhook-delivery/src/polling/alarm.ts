/** An alarm that sleeps until a time or until it is woken, for `longestMs` at most. */
export function createAlarm(longestMs: number) {
  let woken = false
  let wakeUp = () => {}
  return {
    /** Ends the sleep, or the next one before it begins. */
    wake() {
      woken = true
      wakeUp()
    },
    /** Sleeps until a monotonic time. */
    async sleepUntil(at: number): Promise<void> {
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
