import type { Queryable } from '@frontdesk/database'
import { type Account, rowFromJson } from '../db.ts'
import { type ApiReply, type IdempotencyRecord, keyInUse, type KeyedRequest, replayedReply } from './idempotency.ts'

const keptHours = 24

/**
 * Reads the account of a request and, if its key has a record, the reply to replay: one statement for every request.
 *
 * @throws ApiError if the key was used for another request
 */
export async function findAccountAndReply(
  db: Queryable,
  accountId: string | undefined,
  request: KeyedRequest | undefined,
): Promise<{ account: Account | undefined; reply: ApiReply | undefined }> {
  if (accountId === undefined && request === undefined) return { account: undefined, reply: undefined }
  const found = await db.query<{ account: Record<string, unknown> | null; has_record: boolean } & IdempotencyRecord>({
    name: 'find-account-and-reply',
    text: `select to_jsonb(account) as account, record.scope is not null as has_record,
                  record.endpoint, record.fingerprint, record.status, record.body
           from (values ($1::text, $2::text, $3::text)) as asked (account_id, scope, key)
           left join accounts account on account.id = asked.account_id and account.deleted_at is null
           left join idempotency_records record on record.scope = asked.scope and record.key = asked.key
             and record.created_at > now() - interval '${keptHours} hours'`,
    values: [accountId ?? null, request?.scope ?? null, request?.key ?? null],
  })
  const row = found.rows[0]
  return {
    account: row?.account ? rowFromJson<Account>(row.account) : undefined,
    reply: request !== undefined && row?.has_record ? replayedReply(row, request) : undefined,
  }
}

/**
 * Stores a reply in the transaction of its effect. It replaces an expired record.
 *
 * @throws ApiError (409) if another process has stored this key meanwhile; the effect is then rolled back
 */
export async function storeReply(db: Queryable, request: KeyedRequest | undefined, reply: ApiReply): Promise<void> {
  if (request === undefined) return
  const stored = await db.query(`${insertRecord} returning 1`, recordValues(request, reply))
  if (stored.rows.length === 0) throw keyInUse(request.key)
}

/** The insert of `storeReply`, to be embedded in other statements. It takes the parameters $1 to $6. */
export const insertRecord = `
  insert into idempotency_records as record (scope, key, endpoint, fingerprint, status, body, created_at)
  values ($1, $2, $3, $4, $5, $6, now())
  on conflict (scope, key) do update
    set endpoint = excluded.endpoint, fingerprint = excluded.fingerprint, status = excluded.status,
        body = excluded.body, created_at = excluded.created_at
    where record.created_at <= now() - interval '${keptHours} hours'`

/** Returns the parameters of `insertRecord`. */
export function recordValues(request: KeyedRequest, reply: ApiReply): unknown[] {
  const kept = request.keeps ?? reply
  return [request.scope, request.key, request.endpoint, request.fingerprint, kept.status, kept.text]
}
