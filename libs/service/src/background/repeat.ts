import { setTimeout as wait } from 'node:timers/promises'
import { watchLoop } from './loops.ts'

export interface RepeatOptions {
  /** Milliseconds between two runs, changed by up to 20 % so that replicas do not run in step. */
  everyMs: number
  /** Milliseconds until the next run after one that threw, changed likewise. Default: `everyMs`. */
  retryMs?: number
  signal: AbortSignal
  onError: (error: unknown) => void
  /** The name of this work in `/livez` if it is stuck. */
  name?: string
  /** The first run waits for this, such as a migration, for as long as it takes. It must not reject. */
  after?: Promise<unknown>
  /** Milliseconds that one run may take before `/livez` fails, unless it calls `turn`. Default: 10 minutes. */
  stuckAfterMs?: number
}

/** Tells that a long run is not stuck. */
export type Turn = () => void

export interface Repeating {
  /** Starts a run now, or right after the present one. Returns at once. */
  wake(): void
  /** Settles after `signal` was aborted and the present run has ended. Never rejects. */
  stopped: Promise<void>
}

/**
 * Runs `work` at once and then again and again until `signal` aborts, one run at a time. A run that returns `true` has more
 * to do: the next one starts without a pause. A run that throws goes to `onError`, unless `signal` was aborted meanwhile. A run that
 * takes far too long makes `/livez` fail.
 */
export function repeat(options: RepeatOptions, work: (turn: Turn) => Promise<boolean | void>): Repeating {
  const { everyMs, retryMs = everyMs, signal, onError, after, stuckAfterMs = 600_000 } = options
  const loop = watchLoop(options.name ?? `work every ${everyMs / 1000} s`, stuckAfterMs)
  let woken = false
  let wakeUp = () => {}

  async function pause(aboutMs: number): Promise<void> {
    const awake = new AbortController()
    wakeUp = () => awake.abort()
    if (woken) return
    loop.rest()
    const milliseconds = aboutMs * (0.8 + Math.random() * 0.4)
    await wait(milliseconds, undefined, { signal: AbortSignal.any([awake.signal, signal]) }).catch(() => {})
  }

  async function run(): Promise<void> {
    if (after !== undefined) await after
    while (!signal.aborted) {
      woken = false
      loop.turn()
      try {
        if ((await work(loop.turn)) !== true) await pause(everyMs)
      } catch (error) {
        if (!signal.aborted) onError(error)
        await pause(retryMs)
      }
    }
    loop.end()
  }

  return {
    wake() {
      woken = true
      wakeUp()
    },
    stopped: run(),
  }
}
