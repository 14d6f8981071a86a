import type { Pool } from '@frontdesk/database'
import { repeat } from '@frontdesk/service/background'
import type { Logger } from 'pino'
import { deleteOldRecords } from './api/store.ts'
import type { Checkouts } from './checkout/commands.ts'
import { deleteOldEvents } from './webhooks/store.ts'

const hour = 60 * 60 * 1000

/** Expires checkouts and deletes old rows, again and again, until it is disposed. */
export function startBackground({ pool, checkouts, log }: { pool: Pool; checkouts: Checkouts; log: Logger }) {
  const stopping = new AbortController()
  const every = (everyMs: number, failure: string, work: () => Promise<boolean | void>) =>
    repeat({ everyMs, signal: stopping.signal, onError: (error) => log.warn({ err: error }, failure) }, work).stopped
  const loops = [
    every(1_000, 'checkouts could not be expired', () => checkouts.expireOverdue()),
    every(hour, 'old idempotency keys could not be deleted', () => deleteOldRecords(pool)),
    every(hour, 'old webhook events could not be deleted', () => deleteOldEvents(pool)),
  ]
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}
