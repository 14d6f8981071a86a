import type { Pool } from '@frontdesk/database'
import { repeat } from '@frontdesk/service/background'
import type { Logger } from 'pino'
import type { Catalogue } from './practice-management-systems/domain.ts'
import { saveCatalogue } from './practice-management-systems/store.ts'

export interface SavedCatalogue {
  isSaved(): boolean
  /** Settles after the first attempt, whatever its outcome. */
  attempted: Promise<void>
  /** Settles when the catalogue is saved, or `signal` has aborted. */
  stopped: Promise<void>
}

/** Saves the catalogue at start; every second until it succeeds, while the database is unreachable or not migrated. */
export function keepCatalogueSaved(pool: Pool, catalogue: Catalogue, log: Logger, signal: AbortSignal): SavedCatalogue {
  const saved = new AbortController()
  const { promise: attempted, resolve: endFirst } = Promise.withResolvers<void>()
  let warned = false
  function onError(error: unknown): void {
    if (!warned) log.warn({ err: error }, 'the catalogue of practice management systems cannot be saved yet')
    warned = true
  }
  const { stopped } = repeat({ everyMs: 1_000, signal: AbortSignal.any([signal, saved.signal]), onError }, async () => {
    await saveCatalogue(pool, catalogue).finally(endFirst)
    saved.abort()
  })
  return { isSaved: () => saved.signal.aborted, attempted, stopped }
}
