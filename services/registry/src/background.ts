import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from '@frontdesk/database'
import { deleteExpiredKeys } from '@frontdesk/service/idempotency'
import type { Logger } from 'pino'
import type { Catalogue } from './practice-management-systems/domain.ts'
import { saveCatalogue } from './practice-management-systems/store.ts'

const minute = 60_000

export interface SavedCatalogue {
  isSaved(): boolean
  /** Settles after the first attempt, however it ended. */
  attempted: Promise<void>
  /** Settles when it is saved, or `signal` has aborted. */
  stopped: Promise<void>
}

/** Saves the catalogue as soon as the database lets it: at start, or when it is there and migrated. */
export function keepCatalogueSaved(pool: Pool, catalogue: Catalogue, log: Logger, signal: AbortSignal): SavedCatalogue {
  let saved = false
  async function attempt(): Promise<void> {
    await saveCatalogue(pool, catalogue)
    saved = true
  }
  const attempted = attempt().catch((error: unknown) => {
    log.warn({ err: error }, 'the catalogue of practice management systems cannot be saved yet')
  })
  async function saveInTheEnd(): Promise<void> {
    await attempted
    while (!saved && !signal.aborted) {
      await pause(1_000, signal)
      // Said once above: the database may be away for long, or not be migrated yet.
      await attempt().catch(() => {})
    }
  }
  return { isSaved: () => saved, attempted, stopped: saveInTheEnd() }
}

/** Deletes Idempotency-Keys past their 24 h, every minute or so, until `signal` aborts. Copies do not hinder each other. */
export async function sweepIdempotencyKeys(pool: Pool, log: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(minute * (0.8 + Math.random() * 0.4), signal)
    try {
      while (!signal.aborted && (await deleteExpiredKeys(pool)) > 0);
    } catch (error) {
      log.warn({ err: error }, 'expired Idempotency-Keys could not be deleted; trying again')
    }
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => {})
}
