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

/** Which published events `replayOutbox` publishes again. */
export interface Replay {
  /** Those published at this time or later. */
  since: Date
  /** Only those on this stream. Default: all streams. */
  stream?: string | undefined
  /** Only those with a higher sequence in their stream. */
  afterStreamSeq?: number | undefined
  /** Counts and changes nothing. */
  dryRun?: boolean | undefined
}

const replayBatch = 5_000

/**
 * Has published events published again, under the same ids and in the order of `seq`: the relay finds them within 10 s.
 * Marks them in batches, oldest first, each in a transaction of its own. Events that wait to be published stay as they are,
 * so running it again at once changes nothing. Returns how many it marked, or would mark.
 *
 * @param db a pool or a connection outside of a transaction
 */
export async function replayOutbox(db: Queryable, replay: Replay): Promise<number> {
  const { since, stream = null, afterStreamSeq = null, dryRun = false } = replay
  const range = await db.query<{ first: string | null; until: Date }>(
    'select min(seq)::text as first, clock_timestamp() as until from outbox where published_at >= $1',
    [since],
  )
  let events = 0
  const { first, until } = range.rows[0] ?? { first: null, until: since }
  let next = first
  while (next !== null) {
    const batch = await db.query<{ seq: string }>(dryRun ? replayable : replayMark, [
      next,
      since,
      // Without it the replay would also mark what the relay publishes meanwhile, without end.
      until,
      stream,
      afterStreamSeq,
      replayBatch,
    ])
    events += batch.rows.length
    const last = batch.rows.reduce((highest, row) => (BigInt(row.seq) > highest ? BigInt(row.seq) : highest), 0n)
    next = batch.rows.length < replayBatch ? null : String(last + 1n)
  }
  return events
}

const replayable = `
  select seq::text as seq from outbox
   where seq >= $1 and published_at >= $2 and published_at <= $3
     and ($4::text is null or stream = $4) and ($5::bigint is null or stream_seq > $5)
   order by outbox.seq limit $6`

const replayMark = `
  with replayed as (${replayable})
  update outbox set published_at = null, stream = null, stream_seq = null
    from replayed where outbox.seq = replayed.seq::bigint
  returning replayed.seq`

/** An event that the server can never take. */
export interface SetAsideEvent {
  id: string
  subject: string
  reason: string
  setAsideAt: Date
}

/** Returns the events that were set aside, oldest first. */
export async function setAsideEvents(db: Queryable, limit = 1_000): Promise<SetAsideEvent[]> {
  const { rows } = await db.query<SetAsideEvent>(
    `select id, subject, set_aside_reason as reason, set_aside_at as "setAsideAt"
       from outbox where set_aside_at is not null order by seq limit $1`,
    [limit],
  )
  return rows
}

/** Has the events that were set aside published, once their cause is gone. Returns how many. */
export async function retrySetAsideEvents(db: Queryable): Promise<number> {
  const result = await db.query(
    'update outbox set set_aside_at = null, set_aside_reason = null where set_aside_at is not null',
  )
  return result.rowCount ?? 0
}
