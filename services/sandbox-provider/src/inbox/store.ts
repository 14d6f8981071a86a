import { camelRows, type Queryable } from '@frontdesk/database'
import type { ReceivedWebhook } from './domain.ts'

/** Requests that an inbox keeps. */
export const keptRequests = 200
const keptInAll = 2_000
const keptSecrets = 100

/** Stores a request, and deletes the oldest ones beyond what an inbox, and all of them together, may keep. */
export async function storeRequest(
  db: Queryable,
  inbox: string,
  { receivedAt, headers, body, answer, answeredBy, error }: Omit<ReceivedWebhook, 'number'>,
): Promise<void> {
  await db.query(
    `with added as (
       insert into inbox_requests (inbox, received_at, headers, body, answer, answered_by, error)
       values ($1, $2, $3, $4, $5, $6, $7) returning number)
     delete from inbox_requests old using added
      where old.number <= added.number - ${keptInAll}
         or old.inbox = $1 and old.number <= (select number from inbox_requests where inbox = $1
                                               order by number desc offset ${keptRequests - 1} limit 1)`,
    [inbox, receivedAt, JSON.stringify(headers), body, answer, answeredBy, error],
  )
}

/** Returns what an inbox has kept, newest first. */
export async function readRequests(db: Queryable, inbox: string): Promise<ReceivedWebhook[]> {
  return camelRows<ReceivedWebhook>(
    await db.query(
      `select number::float8 as number, received_at, headers, body, answer, answered_by, error
         from inbox_requests where inbox = $1 order by inbox_requests.number desc limit ${keptRequests}`,
      [inbox],
    ),
  )
}

export async function deleteRequests(db: Queryable, inbox: string): Promise<void> {
  await db.query('delete from inbox_requests where inbox = $1', [inbox])
}

/** An inbox with something in it. */
export interface InboxSummary {
  inbox: string
  requests: number
  newestAt: Date
}

export async function readInboxes(db: Queryable): Promise<InboxSummary[]> {
  return camelRows<InboxSummary>(
    await db.query(
      'select inbox, count(*)::int as requests, max(received_at) as newest_at from inbox_requests group by inbox order by inbox',
    ),
  )
}

/** Stores a secret, and forgets the oldest ones beyond what an inbox may keep. */
export async function storeSecret(db: Queryable, inbox: string, secret: string, now: Date): Promise<void> {
  await db.query(
    `insert into inbox_secrets (inbox, secret, told_at) values ($1, $2, $3)
     on conflict (inbox, secret) do update set told_at = excluded.told_at`,
    [inbox, secret, now],
  )
  await db.query(
    `delete from inbox_secrets where inbox = $1 and secret not in
       (select secret from inbox_secrets where inbox = $1 order by told_at desc, secret limit ${keptSecrets})`,
    [inbox],
  )
}

/** Returns the secrets of an inbox, newest first. */
export async function readSecrets(db: Queryable, inbox: string): Promise<string[]> {
  const { rows } = await db.query<{ secret: string }>(
    'select secret from inbox_secrets where inbox = $1 order by told_at desc, secret',
    [inbox],
  )
  return rows.map(({ secret }) => secret)
}
