import { createHash } from 'node:crypto'
import type { Queryable, Retention } from '@frontdesk/database'
import { problem } from '@frontdesk/problems'
import { v7 as uuidv7 } from 'uuid'
import type { KeyRing } from '../encryption/key-ring.ts'

/** A key is kept while its reply can be replayed. */
export const idempotencyRetention = {
  rule: 'until the key expires, 24 hours after its first request',
  deletion: { table: 'idempotency_keys', column: 'expires_at', after: '0' },
} as const satisfies Retention

/** The encrypted column of the table, for a new master key. */
export const encryptedReply = {
  table: 'idempotency_keys',
  keys: { client: 'text', operation: 'text', path: 'text', key: 'text' },
  column: 'body',
  context: (keys: readonly string[]) => replyContext(keys),
}

/** One request under an Idempotency-Key. Keys are separate for each client, operation and path. */
export interface IdempotentRequest {
  client: string
  operation: string
  path: string
  key: string
  fingerprint: Buffer
}

export interface StoredReply {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** The decision about a request: run it (again) for the resource with that id, or send the stored reply. */
export type Claim = { run: true; resourceId: string } | { run: false; reply: StoredReply }

/**
 * Returns the key in an Idempotency-Key header: bare or a quoted structured-field string of 1 to 255 printable ASCII
 * characters. Throws `idempotency_key_malformed` (400).
 */
export function parseIdempotencyKey(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)
  const key = quoted === null ? header : (quoted[1] ?? '').replaceAll(/\\(["\\])/g, '$1')
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw problem('idempotency_key_malformed', 'Send 1 to 255 printable ASCII characters.')
  return key
}

/** Returns the SHA-256 of a request's body, its members sorted, and of the headers that change what it does. */
export function fingerprintOf(body: unknown, steering: readonly string[]): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([canonical(body), steering]))
    .digest()
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, canonical(member)]),
  )
}

interface ClaimRow {
  claimed: boolean
  fingerprint: Buffer
  resource_id: string
  status: number | null
  headers: Record<string, string> | null
  body: string | null
}

/**
 * Claims a key for this request, in one statement. The request may run if the key is new or has expired, or if its lease
 * lapsed without a reply (a crash, a 5xx). The resource keeps the id of the first try, so a resumed request never makes
 * a second one. Throws `idempotency_key_reused` (422) for another request, `idempotency_key_in_use` (409) while the
 * first one runs.
 */
export async function claimKey(db: Queryable, ring: KeyRing, request: IdempotentRequest): Promise<Claim> {
  for (;;) {
    const { rows } = await db.query<ClaimRow>({
      name: 'idempotency-claim',
      text: claimSql,
      values: [...keyOf(request), request.fingerprint, uuidv7()],
    })
    const [row] = rows
    // A concurrent claim may not be visible to this statement yet, or its row was just deleted.
    if (row === undefined) continue
    if (!row.fingerprint.equals(request.fingerprint)) throw problem('idempotency_key_reused')
    if (row.claimed) return { run: true, resourceId: row.resource_id }
    if (row.status === null) throw problem('idempotency_key_in_use', { retryAfter: 1 })
    const body: unknown = JSON.parse(ring.decrypt(row.body ?? '', contextOf(request)))
    return { run: false, reply: { status: row.status, headers: row.headers ?? {}, body } }
  }
}

/**
 * Commits a statement without waiting for its flush to disk. A claim is flushed by the next commit, which comes before
 * anything outside of Postgres is done. If Postgres dies before a reply is flushed, the request resumes, as after a crash
 * of this process.
 */
const withoutFlush = `set_config('synchronous_commit', 'off', true)`

const claimSql = `
  with claim as (
    insert into idempotency_keys as known
      (client, operation, path, key, fingerprint, resource_id, lease_until, expires_at)
    values ($1, $2, $3, $4, $5, $6, now() + interval '60 seconds', now() + interval '24 hours')
    on conflict (client, operation, path, key) do update set
      lease_until = excluded.lease_until,
      fingerprint = excluded.fingerprint,
      resource_id = case when known.expires_at < now() then excluded.resource_id else known.resource_id end,
      expires_at = case when known.expires_at < now() then excluded.expires_at else known.expires_at end,
      status = null, headers = null, body = null
    where known.expires_at < now()
       or (known.status is null and known.lease_until < now() and known.fingerprint = excluded.fingerprint)
    returning true as claimed, fingerprint, resource_id, status, headers, body, ${withoutFlush}
  )
  select claimed, fingerprint, resource_id, status, headers, body from claim
  union all
  select false, fingerprint, resource_id, status, headers, body from idempotency_keys
   where client = $1 and operation = $2 and path = $3 and key = $4 and not exists (select from claim)`

/** Stores the reply until the key expires, encrypted: replies hold keys, secrets and addresses. */
export async function settleKey(
  db: Queryable,
  ring: KeyRing,
  request: IdempotentRequest,
  { status, headers, body }: StoredReply,
): Promise<void> {
  await db.query({
    name: 'idempotency-settle',
    text: `update idempotency_keys set status = $5, headers = $6, body = $7
            where client = $1 and operation = $2 and path = $3 and key = $4 returning ${withoutFlush}`,
    values: [...keyOf(request), status, headers, ring.encrypt(JSON.stringify(body), contextOf(request))],
  })
}

/** Deletes a key after a refusal that left nothing behind: the next request with that key is a first one. */
export async function releaseKey(db: Queryable, request: IdempotentRequest): Promise<void> {
  await db.query(
    'delete from idempotency_keys where client = $1 and operation = $2 and path = $3 and key = $4 and status is null',
    keyOf(request),
  )
}

/** Ends the lease at once after a 5xx, so that the same request can resume for the same resource. */
export async function suspendKey(db: Queryable, request: IdempotentRequest): Promise<void> {
  await db.query(
    `update idempotency_keys set lease_until = now() - interval '1 second'
      where client = $1 and operation = $2 and path = $3 and key = $4 and status is null`,
    keyOf(request),
  )
}

const keyOf = (request: IdempotentRequest) => [request.client, request.operation, request.path, request.key]
const replyContext = (keys: readonly string[]) => `idempotency ${keys.join(' ')}`
const contextOf = (request: IdempotentRequest) => replyContext(keyOf(request))
