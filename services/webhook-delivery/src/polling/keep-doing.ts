import { setTimeout as wait } from 'node:timers/promises'
import { isUnavailable } from '@frontdesk/database'
import { watchLoop } from '@frontdesk/service/background'
import type { Logger } from 'pino'
import type { createAlarm } from './alarm.ts'

const firstRetryMs = 100
const longestRetryMs = 5_000

/**
 * Does `work` again and again until `signal` aborts: at the monotonic time that it returns, or when the alarm wakes it; after
 * a failure with growing waits.
 */
export async function keepDoing(
  what: string,
  work: () => Promise<number>,
  alarm: ReturnType<typeof createAlarm>,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<void> {
  let failures = 0
  const loop = watchLoop(`the poller: ${what}`, 600_000, signal)
  signal.addEventListener('abort', alarm.wake, { once: true })
  while (!signal.aborted) {
    loop.turn()
    try {
      const nextAt = await work()
      failures = 0
      await alarm.sleepUntil(nextAt)
    } catch (error) {
      if (signal.aborted) return
      if (isUnavailable(error)) log.debug({ err: error, what }, 'Postgres is away; the poller waits')
      else log.error({ err: error, what }, 'the poller failed; trying again')
      const waitMs = Math.min(longestRetryMs, firstRetryMs * 2 ** failures++) * (0.75 + Math.random() * 0.5)
      await wait(waitMs, undefined, { signal }).catch(() => {})
    }
  }
}
