import { setTimeout as delay } from 'node:timers/promises'
import type { ServerProcess } from './processes/server-process.ts'

/** A process that is started again whenever it ends by itself. */
export interface SupervisedProcess {
  readonly name: string
  /** Starts it, and waits until it is usable. Throws when this first attempt fails. */
  start(): Promise<void>
  /** Stops it for good, until `start`. */
  stop(): Promise<void>
  /** Sends a signal and leaves the rest to the supervision. */
  kill(signal: NodeJS.Signals): void
  /** Whether it is usable as far as is known. */
  isUp(): boolean
}

/** Waits before the first, second, ... restart in a row, in milliseconds. */
const RESTART_DELAYS = [0, 200, 500, 1_000, 2_000, 5_000, 10_000]
/** A process that was usable for this long is taken to have been well: the next restart is at once again. */
const WELL_AFTER_MS = 3_000

/**
 * Keeps a process running. What ends is started again at once; what keeps ending is given more and more time, and each
 * time it is said.
 *
 * @param launch starts the process and resolves when it is usable; gives up when the signal aborts
 * @param say tells a person
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

  /** Follows one life after the other until it is told to stop. */
  async function follow(first: ServerProcess, signal: AbortSignal): Promise<void> {
    let life: ServerProcess | undefined = first
    let usableSince = performance.now()
    let failures = 0
    while (!signal.aborted) {
      running = life
      let ending = 'it did not become ready'
      if (life) {
        ending = await life.exited
        running = undefined
        if (signal.aborted) return
        if (performance.now() - usableSince > WELL_AFTER_MS) failures = 0
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
      life = await launch(signal).catch((error: Error) => {
        if (!signal.aborted) say(error.message)
        return undefined
      })
      usableSince = performance.now()
      // It was told to stop while it was starting.
      if (signal.aborted) await life?.stop()
    }
  }

  return {
    name,
    isUp: () => running !== undefined,
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
