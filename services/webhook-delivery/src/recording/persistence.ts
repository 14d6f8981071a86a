import { setTimeout as wait } from 'node:timers/promises'
import { isUnavailable } from '@frontdesk/database'
import type { Logger } from 'pino'
import type { Signals } from '../signals.ts'

/**
 * Returns `persist`, which writes a group of outcomes. While Postgres is away it tries again and again, and no request
 * starts. A group that Postgres refuses is written one by one. An outcome that is refused by itself is given up: its lease
 * lapses, and the delivery is sent again.
 */
export function createPersistence({ log, signals }: { log: Logger; signals: Signals }) {
  let away = false

  function setAway(now: boolean): void {
    if (away === now) return
    away = now
    signals.emit('hold', 'Postgres is away', now)
  }

  return async function persist<T>(group: readonly T[], write: (group: readonly T[]) => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await write(group)
        setAway(false)
        return
      } catch (error) {
        if (isUnavailable(error)) {
          if (!away) log.warn({ err: error }, 'Postgres is away; outcomes wait in memory')
          setAway(true)
          await wait(250)
        } else if (isDeadlock(error)) await wait(5)
        else if (group.length > 1) {
          for (const one of group) await persist([one], write)
          return
        } else return log.error({ err: error }, 'an outcome could not be recorded')
      }
    }
  }
}

const isDeadlock = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001')
