import { setTimeout as wait } from 'node:timers/promises'

export interface RepeatOptions {
  /** Milliseconds between two runs, changed by up to 20 % so that replicas do not run in step. */
  everyMs: number
  /** Milliseconds until the next run after one that threw, changed likewise. Default: `everyMs`. */
  retryMs?: number
  signal: AbortSignal
  onError: (error: unknown) => void
}

export interface Repeating {
  /** Starts a run now, or right after the present one. Returns at once. */
  wake(): void
  /** Settles after `signal` was aborted and the present run has ended. Never rejects. */
  stopped: Promise<void>
}

/**
 * Runs `work` at once and then again and again until `signal` aborts, one run at a time. A run that returns `true` has more
 * to do: the next one starts without a pause. A run that throws goes to `onError`, unless `signal` was aborted meanwhile.
 */
export function repeat(options: RepeatOptions, work: () => Promise<boolean | void>): Repeating {
  const { everyMs, retryMs = everyMs, signal, onError } = options
  let woken = false
  let wakeUp = () => {}

  async function pause(aboutMs: number): Promise<void> {
    const awake = new AbortController()
    wakeUp = () => awake.abort()
    if (woken) return
    const milliseconds = aboutMs * (0.8 + Math.random() * 0.4)
    await wait(milliseconds, undefined, { signal: AbortSignal.any([awake.signal, signal]) }).catch(() => {})
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      woken = false
      try {
        if ((await work()) !== true) await pause(everyMs)
      } catch (error) {
        if (!signal.aborted) onError(error)
        await pause(retryMs)
      }
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
