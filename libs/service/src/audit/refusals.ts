import { isUnavailable, type Pool } from '@frontdesk/database'
import type { ProblemError } from '@frontdesk/problems'
import type { FastifyBaseLogger } from 'fastify'
import type { Act } from './act.ts'
import { insertAuditEntry } from './store.ts'

/** Refusals that tell something about who asked for what. Malformed requests ask for nothing. */
const told: ReadonlySet<number> = new Set([403, 404, 409, 422])

/**
 * Stores the entry of an act that was refused, or failed on our side. If it cannot be stored it becomes a log line: the caller
 * gets the refusal in any case.
 */
export async function recordRefusal(
  pool: Pool,
  act: Act,
  { status, code, options }: ProblemError,
  log: FastifyBaseLogger,
): Promise<void> {
  if (status < 500 && !told.has(status)) return
  const entry = act.entry(status < 500 ? 'Refused' : 'Failed', code)
  const notStored = (error: unknown) => log.error({ audit: true, entry, err: error }, 'audit entry was not stored')
  // The caller has waited for the database already.
  if (isUnavailable(options.cause)) return notStored(options.cause)
  await insertAuditEntry(pool, entry).catch(notStored)
}
