import type { Pool } from '@frontdesk/database'
import { repeat, startCleanUp } from '@frontdesk/service/background'
import type { Logger } from 'pino'
import type { Checkouts } from './checkout/commands.ts'
import { retentions } from './retention.ts'

/** Expires checkouts and deletes old rows, again and again, until it is disposed. */
export function startBackground({ pool, checkouts, log }: { pool: Pool; checkouts: Checkouts; log: Logger }) {
  const stopping = new AbortController()
  const every = (everyMs: number, failure: string, work: () => Promise<boolean | void>) =>
    repeat({ everyMs, signal: stopping.signal, onError: (error) => log.warn({ err: error }, failure) }, work).stopped
  const loops = [
    every(1_000, 'checkouts could not be expired', () => checkouts.expireOverdue()),
    startCleanUp({ pool, retentions, log, signal: stopping.signal }).stopped,
  ]
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}
