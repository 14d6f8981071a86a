import type { Queryable } from '@frontdesk/database'

/** The part of a subject that decides on its stream: `work`, or the service of `evt.<visibility>.<service>.…`. Indexed. */
const streamKey = `(case when starts_with(subject, 'work.') then 'work' else split_part(subject, '.', 3) end)`
const waits = 'published_at is null and set_aside_at is null'

export interface PendingEvent {
  seq: bigint
  id: string
  aggregateType: string
  aggregateId: string
  subject: string
  headers: Record<string, string>
  payload: Buffer
}

/** Where to look for waiting events of one stream. */
export interface Look {
  key: string
  /** Lowest `seq` to look at: index entries of published events below it are not visited. */
  from: bigint
  /** Most events to return. */
  most: number
}

/** The waiting events of each stream that was looked at, in the order of `seq`, and when that was. */
export interface Pending {
  byKey: Map<string, PendingEvent[]>
  /** Highest `seq` that was visible. */
  top: bigint
  /** Every transaction with a lower id had ended. */
  oldestRunning: bigint
  /** Every transaction that had started has a lower id. */
  nextTransaction: bigint
}

/** Reads waiting events: for each stream an index scan from its mark, so none reads past the waiting events of another. */
export const pendingStatement = `
  select route.key, pg_snapshot_xmin(present.snapshot)::text as oldest, pg_snapshot_xmax(present.snapshot)::text as next,
         (select coalesce(max(seq), 0) from outbox)::text as top, event.*
    from (select pg_current_snapshot() as snapshot) as present
   cross join unnest($1::text[], $2::bigint[], $3::int[]) as route (key, low, most)
    left join lateral (
      select seq::text as seq, id, aggregate_type, aggregate_id, subject, headers, payload from outbox
       where ${streamKey} = route.key and ${waits} and outbox.seq >= route.low
       order by outbox.seq limit route.most
    ) as event on true`

export const pendingValues = (looks: readonly Look[]): unknown[] => [
  looks.map((look) => look.key),
  looks.map((look) => look.from),
  looks.map((look) => look.most),
]

interface PendingRow {
  key: string
  oldest: string
  next: string
  top: string
  seq: string | null
  id: string
  aggregate_type: string
  aggregate_id: string
  subject: string
  headers: Record<string, string>
  payload: Buffer
}

export async function pendingEvents(db: Queryable, looks: readonly Look[]): Promise<Pending> {
  const { rows } = await db.query<PendingRow>({
    name: 'outbox-pending',
    text: pendingStatement,
    values: pendingValues(looks),
  })
  const byKey = new Map<string, PendingEvent[]>(looks.map((look) => [look.key, []]))
  for (const row of rows) {
    if (row.seq === null) continue
    byKey.get(row.key)?.push({
      seq: BigInt(row.seq),
      id: row.id,
      aggregateType: row.aggregate_type,
      aggregateId: row.aggregate_id,
      subject: row.subject,
      headers: row.headers,
      payload: row.payload,
    })
  }
  const [first] = rows
  return {
    byKey,
    top: BigInt(first?.top ?? 0),
    oldestRunning: BigInt(first?.oldest ?? 0),
    nextTransaction: BigInt(first?.next ?? 0),
  }
}

/** Returns the stream keys of all waiting events, also of subjects that no stream of ours has. Skips from key to key. */
export async function pendingKeys(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ key: string }>(
    `with recursive keys as (
       (select ${streamKey} as key from outbox where ${waits} order by ${streamKey}, seq limit 1)
       union all
       select (select ${streamKey} from outbox where ${waits} and ${streamKey} > keys.key order by ${streamKey}, seq limit 1)
         from keys where keys.key is not null)
     select key from keys where key is not null`,
  )
  return rows.map((row) => row.key)
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

/** Sets an event aside that the server can never take. It is not published until an operator clears `set_aside_at`. */
export async function setAside(db: Queryable, seq: bigint, reason: string): Promise<void> {
  await db.query(
    `update outbox set set_aside_at = now(), set_aside_reason = $2, attempts = attempts + 1, last_error = $2
      where seq = $1`,
    [seq, reason.slice(0, 500)],
  )
}

export interface Backlog {
  waiting: number
  /** Seconds; 0 if none waits. */
  oldestSeconds: number
  setAside: number
}

/** Counts the events that wait, up to 100,000 for each stream, and those that were set aside. */
export async function outboxBacklog(db: Queryable, looks: readonly Look[]): Promise<Backlog> {
  const { rows } = await db.query<Backlog>({
    name: 'outbox-backlog',
    text: `select coalesce(sum(waiting), 0)::int as "waiting",
                  coalesce(extract(epoch from now() - min(oldest)), 0)::float8 as "oldestSeconds",
                  (select count(*)::int from outbox where set_aside_at is not null) as "setAside"
             from unnest($1::text[], $2::bigint[], $3::int[]) as route (key, low, most)
            cross join lateral (
              select count(*) as waiting, min(created_at) as oldest from (
                select created_at from outbox where ${streamKey} = route.key and ${waits} and outbox.seq >= route.low
                 order by outbox.seq limit route.most
              ) as event
            ) as counted`,
    values: pendingValues(looks.map((look) => ({ ...look, most: 100_000 }))),
  })
  return rows[0] ?? { waiting: 0, oldestSeconds: 0, setAside: 0 }
}

/** A stream as it was last seen, with the highest sequence that it has acknowledged to us. */
export interface KnownStream {
  stream: string
  /** As the server says, with nanoseconds; undefined if it was never asked. */
  created: string | undefined
  lastSeq: number
}

/** Returns what is recorded of each stream that the outbox has published to. */
export async function knownStreams(db: Queryable): Promise<KnownStream[]> {
  const { rows } = await db.query<{ stream: string; created: string | null; last_seq: string }>(
    `select stream, max(created) as created, max(last_seq)::text as last_seq from (
       select stream, created, last_seq from outbox_streams
       union all
       -- The record is some seconds old. Events published since then are among the newest rows.
       (select stream, null, stream_seq from outbox where published_at is not null order by published_at desc limit 20000)
     ) as known where stream is not null and last_seq is not null group by stream`,
  )
  return rows.map((row) => ({
    stream: row.stream,
    created: row.created ?? undefined,
    lastSeq: Number(row.last_seq),
  }))
}

export async function saveKnownStreams(db: Queryable, known: readonly KnownStream[]): Promise<void> {
  await db.query(
    `insert into outbox_streams (stream, created, last_seq)
     select * from unnest($1::text[], $2::text[], $3::bigint[])
     on conflict (stream) do update set created = excluded.created, last_seq = excluded.last_seq, updated_at = now()`,
    [known.map((one) => one.stream), known.map((one) => one.created ?? ''), known.map((one) => one.lastSeq)],
  )
}
