import { createHash } from 'node:crypto'
import { ApiError } from './errors.ts'
import type { FormNode } from './form.ts'

/** A response, with its body serialised once for the wire and for the record. */
export interface ApiReply {
  status: number
  text: string
}

/** A POST that carries an Idempotency-Key. */
export interface KeyedRequest {
  /** the account that it acts on, or `platform`: at Stripe, keys belong to an account */
  scope: string
  key: string
  endpoint: string
  fingerprint: Buffer
  /** The reply that a fault makes the record keep instead of the operation's own. */
  keeps?: ApiReply
}

/** The stored reply to a keyed request. */
export interface IdempotencyRecord {
  endpoint: string
  fingerprint: Buffer
  status: number
  body: string
}

const maximumKeyLength = 255

/**
 * Reads the Idempotency-Key of a POST.
 *
 * @returns undefined if there is none
 * @throws ApiError if it is too long
 */
export function keyedRequest(
  header: string | undefined,
  request: { scope: string; endpoint: string; form: FormNode },
): KeyedRequest | undefined {
  if (header === undefined || header === '') return undefined
  if (header.length > maximumKeyLength) {
    throw new ApiError(`Idempotency-Key can be at most ${maximumKeyLength} characters long.`, {
      type: 'idempotency_error',
    })
  }
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(sorted(request.form)))
    .digest()
  return { scope: request.scope, key: header, endpoint: request.endpoint, fingerprint }
}

/**
 * Returns the reply to replay for a request whose key has a record.
 *
 * @throws ApiError if the key was used for another request
 */
export function replayedReply(record: IdempotencyRecord, request: KeyedRequest): ApiReply {
  if (record.endpoint !== request.endpoint) {
    throw reusedKey(
      `Keys for idempotent requests can only be used for the same endpoint they were first used for ` +
        `('${request.endpoint}' vs '${record.endpoint}'). ${otherKey(request.key)}`,
    )
  }
  if (!record.fingerprint.equals(request.fingerprint)) {
    throw reusedKey(
      'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
        otherKey(request.key),
    )
  }
  return { status: record.status, text: record.body }
}

/** Returns the 409 for a request while another request with its key is running. */
export function keyInUse(key: string): ApiError {
  return new ApiError(
    'There is currently another in-progress request using this Idempotency Key (that probably means you submitted ' +
      `twice, and the other request is still going through): ${key}. Please try again later.`,
    { status: 409, type: 'idempotency_error', code: 'idempotency_key_in_use' },
  )
}

function otherKey(key: string): string {
  return `Try using a key other than '${key}' if you meant to execute a different request.`
}

function reusedKey(message: string): ApiError {
  return new ApiError(message, { type: 'idempotency_error' })
}

/** Sorts the parameters by name, so that their order does not matter to the fingerprint. */
function sorted(node: FormNode): unknown {
  return Object.entries(node)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => [name, typeof value === 'string' ? value : sorted(value)])
}
