import { setTimeout as wait } from 'node:timers/promises'
import { deleteChunk, deletionChunk, type DeletionRule, type Pool, type Retentions } from '@frontdesk/database'
import type { Logger } from 'pino'
import { repeat, type Repeating } from './repeat.ts'

export interface CleanUpOptions {
  pool: Pool
  retentions: Retentions
  log: Logger
  signal: AbortSignal
  /** The first round waits for this, such as a migration. It must not reject. */
  after?: Promise<unknown>
  /** Milliseconds between two rounds. Default: 20 s, so that a table never holds much more than its rule says. */
  everyMs?: number
}

/**
 * Deletes the rows that are past their retention, from every table that has a deletion rule, until `signal` aborts. A round
 * goes on until nothing is left to delete. It uses one connection at a time, for at most half of the time, so that a
 * backlog of millions does not slow down requests. Replicas may run it at the same time: each skips what another one has.
 */
export function startCleanUp({ pool, retentions, log, signal, after, everyMs = 20_000 }: CleanUpOptions): Repeating {
  const rules = Object.values(retentions).flatMap((retention) => ('deletion' in retention ? [retention.deletion] : []))
  const failure = (error: unknown, table?: string) =>
    log.warn({ err: error, table }, 'old rows could not be deleted; trying again')
  return repeat({ everyMs, signal, onError: failure, ...(after && { after }) }, async () => {
    for (const rule of rules) {
      // A fault of one table must not keep the rows of the others.
      await deleteAll(pool, rule, signal).catch((error: unknown) => {
        if (!signal.aborted) failure(error, rule.table)
      })
    }
  })
}

async function deleteAll(pool: Pool, rule: DeletionRule, signal: AbortSignal): Promise<void> {
  let from: Date | undefined
  while (!signal.aborted) {
    const startedAt = performance.now()
    const { deleted, latest } = await deleteChunk(pool, rule, from)
    if (deleted < deletionChunk) return
    from = latest
    await wait(performance.now() - startedAt, undefined, { signal }).catch(() => {})
  }
}
