import { createHash } from 'node:crypto'
import type { Queryable } from '@frontdesk/database'
import { problem } from '@frontdesk/problems'
import { v7 as uuidv7 } from 'uuid'
import type { KeyRing } from '../encryption/key-ring.ts'

/** One request under an Idempotency-Key: per client, operation, path and key (design section 5). */
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

/** What to do with a request: run it (again) for the resource of that id, or send what was stored. */
export type Claim = { run: true; resourceId: string } | { run: false; reply: StoredReply }

/** The key of a request: bare or a quoted structured-field string, 1 to 255 printable ASCII characters, else 400. */
export function parseIdempotencyKey(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)
  const key = quoted === null ? header : (quoted[1] ?? '').replaceAll(/\\(["\\])/g, '$1')
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw problem('idempotency_key_malformed', 'Send 1 to 255 printable ASCII characters.')
  return key
}

/** SHA-256 over what makes two requests the same: the body with sorted members, and the headers that steer it. */
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

/** What a claim met, as `heldKeySql` reads it. */
export interface ClaimRow {
  claimed: boolean
  fingerprint: Buffer
  resource_id: string
  status: number | null
  headers: Record<string, string> | null
  body: string | null
}

/**
 * Claims a key for this request, in one statement. A key that is new, has expired, or whose lease lapsed without an
 * outcome (a crash, a 5xx) is run; the resource keeps the id of the first try, so that a resumed request can never make
 * a second one. Throws `idempotency_key_reused` (422) for another request, `idempotency_key_in_use` (409) for one in flight.
 */
export async function claimKey(db: Queryable, ring: KeyRing, request: IdempotentRequest): Promise<Claim> {
  for (;;) {
    const result = await db.query<ClaimRow>({
      name: 'idempotency-claim',
      text: `with ${claimExpression} ${heldKeySql}`,
      values: claimValues(request, uuidv7()),
    })
    const claim = readClaim(result.rows[0], ring, request)
    if (claim !== undefined) return claim
  }
}

/**
 * What a claim came to. Undefined where the holder's row was not yet visible to the statement, or was removed meanwhile:
 * ask again. Throws `idempotency_key_reused` (422) for another request, `idempotency_key_in_use` (409) for one in flight.
 */
export function readClaim(row: ClaimRow | undefined, ring: KeyRing, request: IdempotentRequest): Claim | undefined {
  if (row === undefined) return undefined
  if (!row.fingerprint.equals(request.fingerprint)) throw problem('idempotency_key_reused')
  if (row.claimed) return { run: true, resourceId: row.resource_id }
  if (row.status === null) throw problem('idempotency_key_in_use', { retryAfter: 1 })
  const body: unknown = JSON.parse(ring.open(row.body ?? '', contextOf(request)))
  return { run: false, reply: { status: row.status, headers: row.headers ?? {}, body } }
}

/** The parameters of `claimExpression`: `resourceId` is the resource's where the key is new. */
export function claimValues(request: IdempotentRequest, resourceId: string): unknown[] {
  return [...keyOf(request), request.fingerprint, resourceId]
}

/**
 * The claim as the common table expression `claim`, with the parameters $1 to $6: for a statement that does an
 * operation's first work along with it. It has a row where the key is this request's to run.
 */
export const claimExpression = `
  claim as (
    insert into idempotency_keys as held
      (client, operation, path, key, fingerprint, resource_id, lease_until, expires_at)
    values ($1, $2, $3, $4, $5, $6, now() + interval '60 seconds', now() + interval '24 hours')
    on conflict (client, operation, path, key) do update set
      lease_until = excluded.lease_until,
      fingerprint = excluded.fingerprint,
      resource_id = case when held.expires_at < now() then excluded.resource_id else held.resource_id end,
      expires_at = case when held.expires_at < now() then excluded.expires_at else held.expires_at end,
      status = null, headers = null, body = null
    where held.expires_at < now()
       or (held.status is null and held.lease_until < now() and held.fingerprint = excluded.fingerprint)
    returning true as claimed, fingerprint, resource_id, status, headers, body
  )`

/** What follows `claimExpression` to read the row of `readClaim`: the claim, or else whose the key is. */
export const heldKeySql = `
  select * from claim
  union all
  select false, fingerprint, resource_id, status, headers, body from idempotency_keys
   where client = $1 and operation = $2 and path = $3 and key = $4 and not exists (select from claim)`

/** Keeps the reply for 24 h, encrypted: replies hold keys, secrets and addresses. */
export async function settleKey(
  db: Queryable,
  ring: KeyRing,
  request: IdempotentRequest,
  reply: StoredReply,
): Promise<void> {
  await db.query({
    name: 'idempotency-settle',
    text: settleSql(1),
    values: settleValues(ring, request, reply),
  })
}

/** Settles a key, with seven parameters from `$first` on: a statement's own, or part of an operation's last one. */
export function settleSql(first: number): string {
  const [client, operation, path, key, status, headers, body] = Array.from({ length: 7 }, (_, n) => `$${first + n}`)
  return `
    update idempotency_keys set status = ${status}, headers = ${headers}, body = ${body}
     where client = ${client} and operation = ${operation} and path = ${path} and key = ${key}`
}

/** The parameters of `settleSql`. */
export function settleValues(ring: KeyRing, request: IdempotentRequest, reply: StoredReply): unknown[] {
  return [...keyOf(request), reply.status, reply.headers, ring.seal(JSON.stringify(reply.body), contextOf(request))]
}

/** Lets a key go after a refusal without any effect: the next request with it is a first one. */
export async function releaseKey(db: Queryable, request: IdempotentRequest): Promise<void> {
  await db.query(
    'delete from idempotency_keys where client = $1 and operation = $2 and path = $3 and key = $4 and status is null',
    keyOf(request),
  )
}

/** Ends the lease after a 5xx at once: the same request resumes, for the same resource. */
export async function suspendKey(db: Queryable, request: IdempotentRequest): Promise<void> {
  await db.query(
    `update idempotency_keys set lease_until = now() - interval '1 second'
      where client = $1 and operation = $2 and path = $3 and key = $4 and status is null`,
    keyOf(request),
  )
}

/** Deletes keys past their 24 h, 5000 at most; returns how many. */
export async function deleteExpiredKeys(db: Queryable): Promise<number> {
  const result = await db.query(
    `delete from idempotency_keys where ctid in (select ctid from idempotency_keys where expires_at < now() limit 5000)`,
  )
  return result.rowCount ?? 0
}

const keyOf = (request: IdempotentRequest) => [request.client, request.operation, request.path, request.key]
const contextOf = (request: IdempotentRequest) => `idempotency ${keyOf(request).join(' ')}`
