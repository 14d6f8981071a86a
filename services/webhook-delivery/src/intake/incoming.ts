import { hash } from 'node:crypto'
import { Visibility, type Envelope } from '@frontdesk/contracts'
import { parseEnvelope, PermanentError } from '@frontdesk/events'
import { lowestIdAt, timeOfId } from '../event-ids.ts'
import { rankOf } from '../leases/leased.ts'
import { isTraceparent } from '../traceparent.ts'

const day = 24 * 60 * 60 * 1000
const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The parts of a stream's message that an event is made of. */
export interface IncomingMessage {
  payload: Uint8Array
  /** `Nats-Msg-Id`. */
  messageId: string | undefined
  /** When JetStream stored it, epoch milliseconds: the same at every redelivery. */
  storedAt: number
}

/** An event to be delivered, in the form that is stored. */
export interface IncomingEvent {
  /** Our id, which is also the `webhook-id`. */
  eventId: string
  type: string
  siteSlug: string | undefined
  rank: number
  /** Epoch milliseconds. */
  notBefore: number | undefined
  expiresAt: number | undefined
  traceparent: string | undefined
  payload: Buffer
}

/**
 * Reads a message as a public event and keeps its bytes as they are. Throws PermanentError if it is no event, or not a
 * public one: an Internal event must not leak, whatever its subject was.
 */
export function readIncoming(message: IncomingMessage, now: number): IncomingEvent {
  const envelope = parseEnvelope(message.payload)
  if ((envelope.visibility ?? Visibility.Public) !== Visibility.Public)
    throw new PermanentError(`visibility ${String(envelope.visibility)}`)
  if (/[\0]/.test(envelope.type)) throw new PermanentError('the type has characters that cannot be stored')
  return {
    eventId: eventIdOf(envelope, message, now),
    type: envelope.type,
    siteSlug: envelope.siteslug,
    rank: rankOf(envelope.priority),
    notBefore: instant(envelope.intendeddeliverytime),
    expiresAt: instant(envelope.expirytime),
    traceparent: isTraceparent(envelope.traceparent) ? envelope.traceparent : undefined,
    // Copied: the message is a view of the connection's large buffer, which a waiting delivery would keep in memory.
    payload: Buffer.from(message.payload),
  }
}

/**
 * Our id of an event: its own if we made it, the outbox's for an external one. If a message has neither, the id is derived
 * from source, id and storage time, so that every redelivery gets the same.
 */
function eventIdOf(envelope: Envelope, { messageId, storedAt }: IncomingMessage, now: number): string {
  for (const candidate of [messageId?.toLowerCase(), envelope.id.toLowerCase()]) {
    if (candidate !== undefined && uuidv7.test(candidate) && isPlausible(timeOfId(candidate), now)) return candidate
  }
  const digest = hash('sha256', `${envelope.source}\n${envelope.id}`)
  return `${lowestIdAt(storedAt).slice(0, 13)}-7${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`
}

/** Whether partitions are kept for the time: an outbox may replay a week, and clocks differ by less than a day. */
function isPlausible(time: number, now: number): boolean {
  return time > now - 14 * day && time < now + day
}

function instant(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined) return undefined
  const epochMs = Date.parse(text)
  // A time beyond the year 9999 never comes, and Postgres has no date for it.
  return Number.isNaN(epochMs) || epochMs > 253_402_300_799_000 ? undefined : Math.max(0, epochMs)
}
