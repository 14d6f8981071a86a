import type { OperationId } from '@frontdesk/contracts'
import type { Pool } from '@frontdesk/database'
import { problemDetails, ProblemError, problemHeaders } from '@frontdesk/problems'
import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import {
  claimKey,
  fingerprintOf,
  parseIdempotencyKey,
  releaseKey,
  settleKey,
  suspendKey,
  type Claim,
  type IdempotentRequest,
} from './idempotency.ts'
import type { Principal } from '../tokens/internal-tokens.ts'
import type { KeyRing } from '../encryption/key-ring.ts'
import { headerOf } from '../http/server.ts'

/** What a handler may say of its result besides. */
export interface Handled {
  /** The Idempotency-Key was settled with the operation's own last statement. */
  settled?: boolean
}

/** What a first statement came to that claimed the key and did its own work along with it. */
export interface Begun<Result> {
  claim: Claim
  /** Goes on from the work that was done; absent where only the key was claimed, and the handler begins. */
  proceed?: (() => Promise<Result>) | undefined
}

interface Result extends Handled {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/** The request under its Idempotency-Key; undefined where it has none. Throws `idempotency_key_malformed`. */
export function idempotentRequest(
  id: OperationId,
  principal: Principal,
  request: FastifyRequest,
): IdempotentRequest | undefined {
  const header = headerOf(request, 'idempotency-key')
  if (header === undefined) return undefined
  return {
    client: principal.id,
    operation: id,
    path: request.url,
    key: parseIdempotencyKey(header),
    fingerprint: fingerprintOf(request.body, [headerOf(request, 'x-practice-management-software') ?? '']),
  }
}

export interface RunOnceOptions {
  pool: Pool
  ring: KeyRing
  /** Whether a stored success may still be replayed; one that has run out is made anew. */
  isReplayable: (body: unknown) => boolean
  /** Claims the key along with the operation's first work, where there is a way to. */
  begin: () => Promise<Begun<Result> | undefined>
  run: (resourceId: string, heldKey: IdempotentRequest | undefined) => Promise<Result>
}

/** Runs a request under its Idempotency-Key: once, whatever the client or this process does (design section 5). */
export async function runOnce(
  key: IdempotentRequest,
  request: FastifyRequest,
  { pool, ring, isReplayable, begin, run }: RunOnceOptions,
): Promise<Result> {
  const { claim, proceed } = (await begin()) ?? { claim: await claimKey(pool, ring, key) }
  if (!claim.run) {
    const { reply } = claim
    if (reply.status < 300 && !isReplayable(reply.body)) return run(uuidv7(), undefined)
    return { status: reply.status, body: reply.body, headers: { ...reply.headers, 'idempotency-replayed': 'true' } }
  }
  try {
    const result = await (proceed === undefined ? run(claim.resourceId, key) : proceed())
    if (result.settled !== true) {
      const { status, headers = {}, body } = result
      await settleKey(pool, ring, key, { status, headers, body })
    }
    return result
  } catch (error) {
    if (error instanceof ProblemError && error.status < 500) {
      if (error.options.effect !== true) await releaseKey(pool, key)
      else {
        const body = problemDetails(error, { instance: request.url.split('?', 1)[0] ?? '', traceId: request.traceId })
        await settleKey(pool, ring, key, { status: error.status, headers: problemHeaders(error), body })
      }
    } else await suspendKey(pool, key).catch(() => {})
    throw error
  }
}
