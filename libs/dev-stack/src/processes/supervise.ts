import { setTimeout as delay } from 'node:timers/promises'
import type { ServerProcess } from './server-process.ts'

/** A process that is started again whenever it ends without being stopped. */
export interface SupervisedProcess {
  readonly name: string
  /** Starts the process and waits until it is usable. Throws if this first attempt fails. */
  start(): Promise<void>
  /** Stops the process until `start` is called. */
  stop(): Promise<void>
  /** Sends a signal. If the process ends, it is started again. */
  kill(signal: NodeJS.Signals): void
}

/** Milliseconds before the first, second, ... restart in a row. */
const RESTART_DELAYS = [0, 200, 500, 1_000, 2_000, 5_000, 10_000]
/** After this time in use a process counts as healthy: its next restart is immediate again. */
const HEALTHY_AFTER_MS = 3_000

/**
 * Keeps a process running: starts it again at once when it ends, and after longer and longer pauses if it keeps ending.
 *
 * @param launch starts the process and resolves when it is usable; rejects when the signal aborts
 * @param say prints each restart for a person
 */
export function supervise(
  name: string,
  launch: (signal: AbortSignal) => Promise<ServerProcess>,
  say: (message: string) => void,
): SupervisedProcess {
  let running: ServerProcess | undefined
  let starting: Promise<unknown> | undefined
  let supervision: Promise<void> | undefined
  let stopping = new AbortController()

  /** Waits for the end of one process and starts the next, until `signal` aborts. */
  async function follow(first: ServerProcess, signal: AbortSignal): Promise<void> {
    let current: ServerProcess | undefined = first
    let usableSince = performance.now()
    let failures = 0
    while (!signal.aborted) {
      running = current
      let ending = 'it did not become ready'
      if (current) {
        ending = await current.exited
        running = undefined
        if (signal.aborted) return
        if (performance.now() - usableSince > HEALTHY_AFTER_MS) failures = 0
      }
      const pause = RESTART_DELAYS[Math.min(failures, RESTART_DELAYS.length - 1)] ?? 0
      failures += 1
      say(
        pause === 0
          ? `${name} ended (${ending}), starting it again`
          : `${name} keeps ending (${ending}), next start in ${pause / 1000} s`,
      )
      await delay(pause, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      current = await launch(signal).catch((error: Error) => {
        if (!signal.aborted) say(error.message)
        return undefined
      })
      usableSince = performance.now()
      // The stop came while the process was starting.
      if (signal.aborted) await current?.stop()
    }
  }

  return {
    name,
    kill: (signal) => running?.kill(signal),
    async start() {
      if (supervision) return
      stopping = new AbortController()
      const launched = launch(stopping.signal)
      starting = launched.catch(() => undefined)
      running = await launched
      supervision = follow(running, stopping.signal)
    },
    async stop() {
      stopping.abort()
      await starting
      await running?.stop()
      await supervision
      supervision = undefined
      running = undefined
    },
  }
}
