import { setTimeout as wait } from 'node:timers/promises'

export interface RepeatOptions {
  /** Between two runs, in milliseconds; spread by 20 % so that copies do not march in step. */
  everyMs: number
  signal: AbortSignal
  onError: (error: unknown) => void
}

export interface Repeating {
  /** Runs at once, or once more after the present run. Never waits. */
  wake(): void
  /** Settles after `signal` aborted and the present run has ended. */
  stopped: Promise<void>
}

/**
 * Runs `work` again and again in the background. Where it answers `true` there is more to do, and it runs again at once.
 * A run that throws is reported, and the next one comes in its time.
 */
export function repeat({ everyMs, signal, onError }: RepeatOptions, work: () => Promise<boolean | void>): Repeating {
  let woken = false
  let wakeUp = () => {}

  async function pause(): Promise<void> {
    const awake = new AbortController()
    wakeUp = () => awake.abort()
    if (!woken) {
      const milliseconds = everyMs * (0.8 + Math.random() * 0.4)
      await wait(milliseconds, undefined, { signal: AbortSignal.any([awake.signal, signal]) }).catch(() => {})
    }
    wakeUp = () => {}
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      woken = false
      let more: boolean | void = false
      try {
        more = await work()
      } catch (error) {
        if (!signal.aborted) onError(error)
      }
      if (more !== true) await pause()
    }
  }

  return {
    wake() {
      woken = true
      wakeUp()
    },
    stopped: run(),
  }
}
