import { hash } from 'node:crypto'
import {
  consumers,
  eventDataSchema,
  publicEventTypes,
  reservedTypePrefixes,
  Visibility,
  type Envelope,
} from '@frontdesk/contracts'
import {
  agree,
  besideHeader,
  ForgedEvent,
  isKnownType,
  parseEnvelope,
  PermanentError,
  siteIn,
  UnknownEvent,
  versionOf,
} from '@frontdesk/events'
import type { JsMsg } from '@nats-io/jetstream'
import { lowestIdAt, timeOfId } from '../event-ids.ts'
import { rankOf } from '../leases/leased.ts'
import { isTraceparent } from '../traceparent.ts'

const day = 24 * 60 * 60 * 1000
const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const externalPrefix = 'evt.pub.external.'

/** The consumers of Public events. */
export const deliveryConsumers = [
  consumers.deliveryPayments,
  consumers.deliveryAccounts,
  consumers.deliveryExternal,
] as const

/** The parts of a stream's message that an event is made of. */
export interface IncomingMessage {
  subject: string
  payload: Uint8Array
  /** `Nats-Msg-Id`. */
  messageId: string | undefined
  /** Whether the event is published beside the version that subscribers get. */
  isBeside: boolean
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

/** The parts of a message as it came from a stream. */
export function incomingMessage({ subject, data, headers, info }: JsMsg): IncomingMessage {
  return {
    subject,
    payload: data,
    messageId: headers?.get('Nats-Msg-Id') || undefined,
    isBeside: headers?.has(besideHeader) === true,
    storedAt: info.timestampNanos / 1_000_000,
  }
}

/**
 * Reads a message as a public event and keeps its bytes as they are. Throws PermanentError if it is no event, and ForgedEvent if
 * it is not a public one (an Internal event must not leak) or not what its subject says. Throws UnknownEvent for an event of ours that this
 * release does not know, and for a version beside the one that subscribers get.
 */
export function readIncoming(message: IncomingMessage, now: number): IncomingEvent {
  const envelope = parseEnvelope(message.payload)
  if ((envelope.visibility ?? Visibility.Internal) !== Visibility.Public)
    throw new ForgedEvent(`visibility ${String(envelope.visibility)}`)
  if (/[\0]/.test(envelope.type)) throw new PermanentError('the type has characters that cannot be stored')
  const isExternal = message.subject.startsWith(externalPrefix)
  if (isExternal) checkExternal(envelope, message.subject)
  else checkOurs(envelope, message)
  return {
    eventId: eventIdOf(envelope, message, isExternal, now),
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

/** Nobody outside may tell of a payment, or of another site than the one that the subject names. */
function checkExternal({ type, siteslug }: Envelope, subject: string): void {
  if (reservedTypePrefixes.some((prefix) => type.startsWith(prefix)))
    throw new ForgedEvent(`${type} came from an external system`)
  if (siteslug !== undefined && siteslug !== siteIn(subject))
    throw new ForgedEvent(`the subject ${subject} is not of the site ${siteslug}`)
}

function checkOurs(envelope: Envelope, { subject, isBeside }: IncomingMessage): void {
  const { type } = envelope
  agree(envelope, subject)
  if (!isKnownType(type) || !publicEventTypes.some((known) => known === type))
    throw new UnknownEvent(`unknown event type ${type}`)
  const version = versionOf(envelope)
  if (isBeside || eventDataSchema(type, version) === undefined)
    throw new UnknownEvent(`subscribers do not get version ${version} of ${type}`)
}

/**
 * Our id of an event: its own if we made it, the outbox's for an external one. If a message has neither, the id is derived
 * from source, id and storage time, so that every redelivery gets the same.
 */
function eventIdOf(
  envelope: Envelope,
  { messageId, storedAt }: IncomingMessage,
  isExternal: boolean,
  now: number,
): string {
  // All versions of an event of ours share its own id; the message id of a replayed one may be another.
  const candidates = isExternal ? [messageId, envelope.id] : [envelope.id, messageId]
  for (const given of candidates) {
    const candidate = given?.toLowerCase()
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
