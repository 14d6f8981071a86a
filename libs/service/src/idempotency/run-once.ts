import type { Pool } from '@frontdesk/database'
import { problemDetails, ProblemError, problemHeaders } from '@frontdesk/problems'
import { v7 as uuidv7 } from 'uuid'
import type { KeyRing } from '../encryption/key-ring.ts'
import {
  claimKey,
  fingerprintOf,
  parseIdempotencyKey,
  releaseKey,
  settleKey,
  suspendKey,
  type IdempotentRequest,
} from './idempotency.ts'

/** A request that carries an Idempotency-Key. */
export interface KeyedRequest {
  /** The caller, whose keys are apart from those of others. */
  client: string
  operation: string
  /** Its query is no part of what the key stands for. */
  url: string
  /** The header as it was sent. */
  key: string
  body: unknown
  /** The values of the headers that change what the operation does. */
  steering: readonly string[]
  traceId: string
}

interface Result {
  status: number
  body: unknown
  headers?: Record<string, string>
}

export interface RunOnceOptions {
  pool: Pool
  ring: KeyRing
  /** Whether a stored success may still be replayed; otherwise the request runs again, for a new resource. */
  isReplayable: (body: unknown) => boolean
  run: (resourceId: string) => Promise<Result>
}

/**
 * Runs a request once under its Idempotency-Key and stores the reply, which later requests with that key get again.
 * After a 5xx or a crash the next request runs again, for the same resource. Throws `idempotency_key_malformed` (400),
 * `idempotency_key_reused` (422), `idempotency_key_in_use` (409), and what `run` throws.
 */
export async function runOnce(
  { client, operation, url, key, body, steering, traceId }: KeyedRequest,
  { pool, ring, isReplayable, run }: RunOnceOptions,
): Promise<Result> {
  const fingerprint = fingerprintOf(body, steering)
  const path = url.split('?', 1)[0] ?? ''
  const request: IdempotentRequest = { client, operation, path, key: parseIdempotencyKey(key), fingerprint }
  const claim = await claimKey(pool, ring, request)
  if (!claim.run) {
    const { reply } = claim
    if (reply.status < 300 && !isReplayable(reply.body)) return run(uuidv7())
    return { ...reply, headers: { ...reply.headers, 'idempotency-replayed': 'true' } }
  }
  try {
    const result = await run(claim.resourceId)
    await settleKey(pool, ring, request, { headers: {}, ...result })
    return result
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status >= 500) await suspendKey(pool, request).catch(() => {})
    else if (error.options.effect !== true) await releaseKey(pool, request)
    else {
      const details = problemDetails(error, { instance: path, traceId })
      await settleKey(pool, ring, request, { status: error.status, headers: problemHeaders(error), body: details })
    }
    throw error
  }
}
