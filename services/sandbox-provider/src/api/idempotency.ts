import { createHash } from 'node:crypto'
import type { Queryable } from '@frontdesk/database'
import { type Account, rowFromJson } from '../db.ts'
import { ApiError } from './errors.ts'
import type { FormNode } from './form.ts'

/** A response body, serialised once for the wire and for the record. */
export interface ApiReply {
  status: number
  text: string
}

/** A POST that carries an Idempotency-Key. */
export interface KeyedRequest {
  /** the account that it acts on, or `platform`: Stripe's keys are per account */
  scope: string
  key: string
  endpoint: string
  fingerprint: Buffer
}

const keptHours = 24
const maximumKeyLength = 255

/**
 * Reads the Idempotency-Key of a POST.
 *
 * @returns undefined where there is none
 * @throws ApiError where it is too long
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

/** What a request meets: the account that it acts on, and the reply that its key has got before. */
export interface Met {
  account: Account | undefined
  stored: ApiReply | undefined
}

/**
 * Looks up in one statement what every request needs before it is performed.
 *
 * @throws ApiError where the key belongs to another request
 */
export async function lookUp(
  db: Queryable,
  accountId: string | undefined,
  request: KeyedRequest | undefined,
): Promise<Met> {
  if (accountId === undefined && request === undefined) return { account: undefined, stored: undefined }
  const found = await db.query<{ account: Record<string, unknown> | null } & Stored>({
    name: 'look-up-request',
    text: `select to_jsonb(account) as account, record.endpoint, record.fingerprint, record.status, record.body
           from (values ($1::text, $2::text, $3::text)) as asked (account_id, scope, key)
           left join accounts account on account.id = asked.account_id and account.deleted_at is null
           left join idempotency_records record on record.scope = asked.scope and record.key = asked.key
             and record.created_at > now() - interval '${keptHours} hours'`,
    values: [accountId ?? null, request?.scope ?? null, request?.key ?? null],
  })
  const row = found.rows[0]
  return {
    account: row?.account ? rowFromJson<Account>(row.account) : undefined,
    stored: row === undefined || request === undefined ? undefined : storedReply(row, request),
  }
}

interface Stored {
  endpoint: string | null
  fingerprint: Buffer | null
  status: number
  body: string
}

function storedReply(record: Stored, request: KeyedRequest): ApiReply | undefined {
  if (record.endpoint === null) return undefined
  if (record.endpoint !== request.endpoint) {
    throw reusedKey(
      `Keys for idempotent requests can only be used for the same endpoint they were first used for ` +
        `('${request.endpoint}' vs '${record.endpoint}'). ${otherKey(request.key)}`,
    )
  }
  if (!record.fingerprint?.equals(request.fingerprint)) {
    throw reusedKey(
      'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
        otherKey(request.key),
    )
  }
  return { status: record.status, text: record.body }
}

/** The 409 for a request whose key another one holds at this moment. */
export function keyInUse(key: string): ApiError {
  return new ApiError(
    'There is currently another in-progress request using this Idempotency Key (that probably means you submitted ' +
      `twice, and the other request is still going through): ${key}. Please try again later.`,
    { status: 409, type: 'idempotency_error', code: 'idempotency_key_in_use' },
  )
}

/**
 * Stores a reply in the transaction of its effect. A record that has run out makes way.
 *
 * @throws ApiError (409) when another process stored this key meanwhile; the effect is then rolled back
 */
export async function storeReply(db: Queryable, request: KeyedRequest | undefined, reply: ApiReply): Promise<void> {
  if (request === undefined) return
  const stored = await db.query(`${insertRecord} returning 1`, recordValues(request, reply))
  if (stored.rows.length === 0) throw keyInUse(request.key)
}

/** The insert behind `storeReply`, for statements that carry it along. Its parameters are $1 to $6. */
export const insertRecord = `
  insert into idempotency_records as record (scope, key, endpoint, fingerprint, status, body, created_at)
  values ($1, $2, $3, $4, $5, $6, now())
  on conflict (scope, key) do update
    set endpoint = excluded.endpoint, fingerprint = excluded.fingerprint, status = excluded.status,
        body = excluded.body, created_at = excluded.created_at
    where record.created_at <= now() - interval '${keptHours} hours'`

/** The parameters of `insertRecord`. */
export function recordValues(request: KeyedRequest, reply: ApiReply): unknown[] {
  return [request.scope, request.key, request.endpoint, request.fingerprint, reply.status, reply.text]
}

/** Removes what can no longer be replayed. */
export async function forgetOldRecords(db: Queryable): Promise<void> {
  await db.query(`delete from idempotency_records where created_at <= now() - interval '${keptHours} hours'`)
}

function otherKey(key: string): string {
  return `Try using a key other than '${key}' if you meant to execute a different request.`
}

function reusedKey(message: string): ApiError {
  return new ApiError(message, { type: 'idempotency_error' })
}

/** The same parameters in whatever order are the same request. */
function sorted(node: FormNode): unknown {
  return Object.entries(node)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => [name, typeof value === 'string' ? value : sorted(value)])
}
