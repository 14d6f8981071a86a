import type { Queryable } from '@frontdesk/database'
import { composeEvent, type EventOrigin, type OutboxEvent, type OutgoingEvent } from './envelope.ts'

/**
 * Writes events into the outbox in the caller's transaction, in their order, in one statement.
 * The caller must have locked the aggregate's row: only then is `seq` in the order of commits for each aggregate.
 */
export async function appendToOutbox(
  tx: Queryable,
  origin: EventOrigin,
  events: readonly OutgoingEvent[],
): Promise<void> {
  await insertOutboxEvents(
    tx,
    events.map((event) => composeEvent(origin, event)),
  )
}

/** Writes events whose bytes are final already, which are those of external publishers. */
export async function insertOutboxEvents(tx: Queryable, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx.query({ name: 'outbox-append', text: outboxInsert(1), values: outboxParameters(events) })
}

/**
 * Returns SQL, to be embedded in any statement, that inserts events into the outbox in their order. It takes the eight
 * parameters of `outboxParameters`, the first of which is `$first`. `basis` names a common table expression that returns
 * the changed aggregate's row: nothing is inserted unless that row exists.
 */
export function outboxInsert(first: number, basis?: string): string {
  const arrays = columns.map(([, type], index) => `$${first + index}::${type}[]`)
  const names = columns.map(([name]) => name)
  return `
    insert into outbox (${names.join(', ')})
    select event.* from ${basis === undefined ? '' : `${basis}, `}unnest(${arrays.join(', ')}) as event`
}

/** Returns the parameters of `outboxInsert`: one array for each column. */
export function outboxParameters(events: readonly OutboxEvent[]): unknown[] {
  return [
    events.map((event) => event.id),
    events.map((event) => event.aggregateType),
    events.map((event) => event.aggregateId),
    events.map((event) => event.aggregateVersion),
    events.map((event) => event.visibility),
    events.map((event) => event.subject),
    events.map((event) => JSON.stringify(event.headers)),
    events.map((event) => event.payload),
  ]
}

const columns = [
  ['id', 'uuid'],
  ['aggregate_type', 'text'],
  ['aggregate_id', 'text'],
  ['aggregate_version', 'int'],
  ['visibility', 'smallint'],
  ['subject', 'text'],
  ['headers', 'jsonb'],
  ['payload', 'bytea'],
] as const

export interface PendingEvent {
  seq: bigint
  id: string
  aggregateType: string
  aggregateId: string
  subject: string
  headers: Record<string, string>
  payload: Buffer
}

/** Returns the oldest unpublished events, in the order of `seq`. */
export async function pendingEvents(db: Queryable, limit: number): Promise<PendingEvent[]> {
  const result = await db.query<{
    seq: string
    id: string
    aggregate_type: string
    aggregate_id: string
    subject: string
    headers: Record<string, string>
    payload: Buffer
  }>({
    name: 'outbox-pending',
    text: `select seq, id, aggregate_type, aggregate_id, subject, headers, payload
             from outbox where published_at is null order by seq limit $1`,
    values: [limit],
  })
  return result.rows.map((row) => ({
    seq: BigInt(row.seq),
    id: row.id,
    aggregateType: row.aggregate_type,
    aggregateId: row.aggregate_id,
    subject: row.subject,
    headers: row.headers,
    payload: row.payload,
  }))
}

export interface PublishedEvent {
  seq: bigint
  stream: string
  streamSeq: number
}

export async function markPublished(db: Queryable, published: readonly PublishedEvent[]): Promise<void> {
  await db.query({
    name: 'outbox-published',
    text: `update outbox set published_at = now(), stream = done.stream, stream_seq = done.stream_seq
             from unnest($1::bigint[], $2::text[], $3::bigint[]) as done (seq, stream, stream_seq)
            where outbox.seq = done.seq`,
    values: [
      published.map((event) => event.seq),
      published.map((event) => event.stream),
      published.map((event) => event.streamSeq),
    ],
  })
}

export async function recordPublishFailure(db: Queryable, seq: bigint, message: string): Promise<void> {
  await db.query('update outbox set attempts = attempts + 1, last_error = $2 where seq = $1', [
    seq,
    message.slice(0, 500),
  ])
}

/** Returns how many events wait, and the age in seconds of the oldest one (0 if none waits). */
export async function outboxBacklog(db: Queryable): Promise<{ waiting: number; oldestSeconds: number }> {
  const result = await db.query<{ waiting: number; oldest: number }>(
    `select count(*)::int as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest
       from outbox where published_at is null`,
  )
  return { waiting: result.rows[0]?.waiting ?? 0, oldestSeconds: result.rows[0]?.oldest ?? 0 }
}

/** Deletes up to 5000 events published more than 7 days ago (the replay window). Returns how many. */
export async function deleteOldOutboxEvents(db: Queryable): Promise<number> {
  const result = await db.query(
    `delete from outbox where seq in
       (select seq from outbox where published_at < now() - interval '7 days' order by seq limit 5000)`,
  )
  return result.rowCount ?? 0
}
