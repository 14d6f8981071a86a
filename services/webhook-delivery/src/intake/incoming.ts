import { hash } from 'node:crypto'
import { Visibility, type Envelope } from '@frontdesk/contracts'
import { parseEnvelope, PermanentError } from '@frontdesk/events'
import { lowestIdAt, timeOfId } from '../partitions/days.ts'
import { rankOf } from '../sending/held.ts'

const day = 24 * 60 * 60 * 1000
const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** A message of a stream: what of it an event is made of. */
export interface IncomingMessage {
  payload: Uint8Array
  /** `Nats-Msg-Id`. */
  messageId: string | undefined
  /** When JetStream stored it, epoch milliseconds: the same at every redelivery. */
  storedAt: number
}

/** An event to be delivered, as it is stored. */
export interface IncomingEvent {
  /** Our id: also the `webhook-id`. */
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
 * Reads a message as a public event. The bytes stay as they are; liberal in what it does not need to know. Throws
 * PermanentError on what is no event, or not a public one: an Internal event must not leak, whatever subject it came by.
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
    // A copy: the message is a view of the connection's large buffer, which a delivery that waits would keep alive.
    payload: Buffer.from(message.payload),
  }
}

/** The event's `traceparent`, from its stored bytes. */
export function traceparentIn(payload: Buffer): string | undefined {
  const { traceparent } = JSON.parse(payload.toString('utf8')) as Envelope
  return isTraceparent(traceparent) ? traceparent : undefined
}

/**
 * Our id of an event: its own where we made it, the outbox's for an external one. Where a message has neither, one is
 * derived from source, id and the time it was stored, so that every redelivery gets the same.
 */
function eventIdOf(envelope: Envelope, { messageId, storedAt }: IncomingMessage, now: number): string {
  for (const candidate of [messageId?.toLowerCase(), envelope.id.toLowerCase()]) {
    if (candidate !== undefined && uuidv7.test(candidate) && isPlausible(timeOfId(candidate), now)) return candidate
  }
  const digest = hash('sha256', `${envelope.source}\n${envelope.id}`)
  return `${lowestIdAt(storedAt).slice(0, 13)}-7${digest.slice(0, 3)}-8${digest.slice(3, 6)}-${digest.slice(6, 18)}`
}

/** Within what partitions are kept for: an outbox may replay a week, clocks differ by less than a day. */
function isPlausible(time: number, now: number): boolean {
  return time > now - 14 * day && time < now + day
}

function instant(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined) return undefined
  const epochMs = Date.parse(text)
  // What lies beyond the year 9999 is never, and no date for Postgres.
  return Number.isNaN(epochMs) || epochMs > 253_402_300_799_000 ? undefined : Math.max(0, epochMs)
}

function isTraceparent(value: string | null | undefined): value is string {
  return typeof value === 'string' && /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(value)
}
