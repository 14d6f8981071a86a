import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'

export interface Task {
  name: string
  everyMs: number
  run: () => Promise<unknown>
}

/** Runs each task again and again, with its pause between two runs, until it is disposed. A failure waits for the next run. */
export function startSchedule(tasks: Task[], log: Logger): AsyncDisposable {
  const stopping = new AbortController()
  const loops = tasks.map(async ({ name, everyMs, run }) => {
    while (!stopping.signal.aborted) {
      try {
        await run()
      } catch (error) {
        log.warn({ err: error, task: name }, 'a scheduled task failed')
      }
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}
