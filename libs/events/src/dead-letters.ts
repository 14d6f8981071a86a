import { createHash } from 'node:crypto'
import type { Consumer } from '@frontdesk/contracts'
import { camelRows, type Queryable } from '@frontdesk/database'
import type { JsMsg } from '@nats-io/jetstream'
import type { EventMessage } from './reading.ts'

/** A message that its consumer can never process, with all that is needed to process it later. */
export interface DeadLetter {
  consumer: string
  stream: string
  streamSeq: number
  /** `Nats-Msg-Id`, or stream and sequence without one: the same at every delivery of the message. */
  messageId: string
  subject: string
  headers: Record<string, string>
  payload: Uint8Array
  reason: string
  deliveries: number
  /** When JetStream stored the message. */
  storedAt: Date
}

/** Longer ids do not fit into an index; a hash stands for them. The headers keep the id itself. */
const longestMessageId = 200
const longestReason = 2_000

/** Returns what is stored of a message. Nothing in it can make the row itself fail. */
export function deadLetterOf(consumer: Consumer, message: JsMsg, reason: unknown): DeadLetter {
  const headers: Record<string, string> = {}
  for (const name of message.headers?.keys() ?? [])
    headers[storable(name)] = storable(message.headers?.values(name).join(', ') ?? '')
  return {
    consumer: consumer.name,
    stream: consumer.stream,
    streamSeq: message.seq,
    messageId: messageIdOf(consumer, message),
    subject: storable(message.subject),
    headers,
    payload: message.data,
    reason: storable(reasonOf(reason)).slice(0, longestReason).toWellFormed(),
    deliveries: message.info.deliveryCount,
    storedAt: new Date(message.info.timestampNanos / 1_000_000),
  }
}

function messageIdOf(consumer: Consumer, message: JsMsg): string {
  const id = message.headers?.get('Nats-Msg-Id') || `${consumer.stream}:${message.seq}`
  if (id.length <= longestMessageId && storable(id) === id) return id
  return `sha256:${createHash('sha256').update(id).digest('hex')}`
}

/** The messages of an error and of its causes. */
function reasonOf(error: unknown): string {
  const texts: string[] = []
  for (let cause = error; cause instanceof Error && texts.length < 5; cause = cause.cause) texts.push(cause.message)
  return texts.join(': ') || `a ${typeof error} was thrown`
}

/** Postgres stores neither NUL nor half a surrogate pair. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()

/**
 * Sets a message aside in the consumer's own database. A message that comes again keeps its first row; one that was replayed
 * and failed again is open again. Another message under the same id gets a row of its own.
 */
export async function saveDeadLetter(db: Queryable, letter: DeadLetter): Promise<void> {
  if (await insertDeadLetter(db, letter)) return
  await insertDeadLetter(db, { ...letter, messageId: `${letter.stream}:${letter.streamSeq}:${digest(letter.payload)}` })
}

/** Returns false if another message has the id. */
async function insertDeadLetter(db: Queryable, letter: DeadLetter): Promise<boolean> {
  const result = await db.query(
    `insert into dead_letters
       (consumer, stream, stream_seq, message_id, subject, headers, payload, reason, deliveries, stored_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (consumer, message_id) do update set replayed_at = null
       where dead_letters.payload = excluded.payload and dead_letters.subject = excluded.subject`,
    [
      letter.consumer,
      letter.stream,
      letter.streamSeq,
      letter.messageId,
      letter.subject,
      JSON.stringify(letter.headers),
      letter.payload,
      letter.reason,
      letter.deliveries,
      letter.storedAt,
    ],
  )
  return (result.rowCount ?? 0) > 0
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32)

/** Returns how many dead letters of a consumer wait for a person. */
export async function countDeadLetters(db: Queryable, consumer: string): Promise<number> {
  const result = await db.query<{ open: number }>(
    'select count(*)::int as open from dead_letters where consumer = $1 and replayed_at is null',
    [consumer],
  )
  return result.rows[0]?.open ?? 0
}

/** The parts of a message that a handler reads. The message comes from a stream or from a dead letter. */
export interface HandledMessage extends EventMessage {
  info: { deliveryCount: number }
}

/** Handles the messages of one of a service's consumers. */
export interface ConsumerHandler {
  consumer: Consumer
  /** Applies one message and commits. May run more than once for a message. */
  handle(message: HandledMessage): Promise<void>
}

/** A dead letter as it is stored. */
export interface StoredDeadLetter extends DeadLetter {
  id: string
  setAsideAt: Date
  /** When it was processed after all. */
  replayedAt: Date | undefined
}

const letterColumns = `id, consumer, stream, stream_seq::float8, message_id, subject, headers, payload, reason, deliveries,
  stored_at, set_aside_at, replayed_at`

/** Returns the oldest dead letters: those that are not replayed, and with `replayed` the others too. */
export async function listDeadLetters(
  db: Queryable,
  { replayed, limit }: { replayed: boolean; limit: number },
): Promise<StoredDeadLetter[]> {
  const result = await db.query(
    `select ${letterColumns} from dead_letters where $1 or replayed_at is null order by set_aside_at, id limit $2`,
    [replayed, limit],
  )
  return camelRows<StoredDeadLetter>(result).map(withoutNull)
}

/** Returns the ids of all dead letters that are not replayed, oldest first. */
export async function openDeadLetterIds(db: Queryable): Promise<string[]> {
  const result = await db.query<{ id: string }>(
    'select id from dead_letters where replayed_at is null order by set_aside_at, stream_seq',
  )
  return result.rows.map(({ id }) => id)
}

export async function findDeadLetter(db: Queryable, id: string): Promise<StoredDeadLetter | undefined> {
  const result = await db.query(`select ${letterColumns} from dead_letters where id = $1`, [id])
  return camelRows<StoredDeadLetter>(result).map(withoutNull)[0]
}

/** Notes that a dead letter was processed after all. The row stays. */
export async function markReplayed(db: Queryable, id: string): Promise<void> {
  await db.query('update dead_letters set replayed_at = now() where id = $1 and replayed_at is null', [id])
}

const withoutNull = (letter: StoredDeadLetter): StoredDeadLetter => ({
  ...letter,
  replayedAt: letter.replayedAt ?? undefined,
})
