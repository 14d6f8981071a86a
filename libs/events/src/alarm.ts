/** Wakes the relay. */
export interface Alarm {
  ring: () => void
  /** Forgets earlier rings. Call it before reading the events that they announced. */
  silence(): void
  /** Waits until it rings, `until` aborts or the time is over. Returns at once if it rang since `silence`. */
  wait(milliseconds: number, until: AbortSignal): Promise<void>
}

export function createAlarm(): Alarm {
  let rang = false
  let wakeUp = () => {}
  return {
    ring() {
      rang = true
      wakeUp()
    },
    silence: () => void (rang = false),
    wait(milliseconds, until) {
      // Without an AbortController: creating one for each wait took a twentieth of the process's time.
      return new Promise((resolve) => {
        if (rang || until.aborted) return resolve()
        const awake = () => {
          clearTimeout(timer)
          until.removeEventListener('abort', awake)
          resolve()
        }
        const timer = setTimeout(awake, milliseconds)
        until.addEventListener('abort', awake)
        wakeUp = awake
      })
    },
  }
}
