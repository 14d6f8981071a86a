import {
  events,
  eventSubject,
  ReceivedEnvelope,
  slugPattern,
  Visibility,
  type Envelope,
  type EventData,
  type EventType,
  type PublishedEventType,
} from '@frontdesk/contracts'
import { Compile } from 'typebox/compile'
import { faultsOf, validatorOf } from './schemas.ts'

/**
 * A received event of one of our types; its data matches the events table as a reader needs it: an enumeration may have a
 * value that this release does not know, and members that it does not know are kept.
 */
export type ReceivedEvent = {
  [T in PublishedEventType]: Omit<Envelope, 'type' | 'data'> & { type: T; data: EventData<T> }
}[PublishedEventType]

/** The parts of a message that an event is read from. */
export interface EventMessage {
  subject: string
  data: Uint8Array
}

/** Thrown for a message that can never be processed. The message becomes a dead letter at once. */
export class PermanentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PermanentError'
  }
}

/**
 * Thrown for an event that does not say the same as its subject, so that somebody published it who may not tell it. It is
 * dropped, counted and logged: a dead letter could be replayed.
 */
export class ForgedEvent extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ForgedEvent'
  }
}

/** Thrown for an event of a type or version that this release does not know. It is acknowledged, and counted as ignored. */
export class UnknownEvent extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnknownEvent'
  }
}

const envelopeValidator = Compile(ReceivedEnvelope)

/** Parses an envelope; unknown attributes pass. Throws PermanentError if the bytes are not an envelope. */
export function parseEnvelope(bytes: Uint8Array): Envelope {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch (error) {
    throw new PermanentError('not JSON', { cause: error })
  }
  const faults = faultsOf(envelopeValidator, value)
  if (faults.length > 0) throw new PermanentError(`not an event: ${faults.join('; ')}`)
  return value as Envelope
}

/**
 * Parses an event of one of our types. Throws UnknownEvent for a type or version that this release does not know, and
 * PermanentError if the bytes are not an envelope or its data does not match.
 */
export function parseEvent(bytes: Uint8Array): ReceivedEvent {
  return checked(parseEnvelope(bytes))
}

/**
 * Parses the event of a message as `parseEvent` does, and checks that it says the same as its subject. Permissions and
 * filters go by subjects: an event that says something else is refused with ForgedEvent.
 */
export function readEvent({ subject, data }: EventMessage): ReceivedEvent {
  const envelope = parseEnvelope(data)
  agree(envelope, subject)
  return checked(envelope)
}

function checked(envelope: Envelope): ReceivedEvent {
  const { type } = envelope
  if (!isKnownType(type)) throw new UnknownEvent(`unknown event type ${type}`)
  const { version } = events[type]
  if (versionOf(envelope) !== version) throw new UnknownEvent(`unknown version of ${type}`)
  const faults = faultsOf(validatorOf(type, version, 'reading'), envelope.data)
  if (faults.length > 0) throw new PermanentError(`data of ${type}: ${faults.join('; ')}`)
  return envelope as ReceivedEvent
}

/**
 * Throws ForgedEvent unless the source of one of our events is the service in its subject, which alone may publish there. Of a
 * type that this release knows, owner, site, version and visibility must be those of the subject too; without a visibility
 * it is Internal (interface, "Visibility values").
 */
export function agree(envelope: Envelope, subject: string): void {
  const { type, source } = envelope
  const service = source.slice(source.lastIndexOf('/') + 1)
  if (service !== publisherOf(subject)) throw new ForgedEvent(`${type} from ${service} has the subject ${subject}`)
  if (!isKnownType(type)) return
  const { owners, visibility } = events[type]
  if (!owners.some((owner) => owner === service)) throw new ForgedEvent(`${type} does not come from ${service}`)
  if ((envelope.visibility ?? Visibility.Internal) !== visibility)
    throw new ForgedEvent(`${type} has visibility ${String(envelope.visibility)}`)
  const expected = eventSubject(type, service, envelope.siteslug ?? siteIn(subject), versionOf(envelope))
  if (subject !== expected) throw new ForgedEvent(`${type} has the subject ${subject}, not ${expected}`)
}

/** Returns the service that publishes a subject: `evt.pub.payments.…` and `work.payments.…` are payments'. */
function publisherOf(subject: string): string | undefined {
  const [first, second, third] = subject.split('.')
  return first === 'work' ? second : third
}

/** Returns the site at the end of a subject; undefined if there is none. */
export function siteIn(subject: string): string | undefined {
  const last = subject.slice(subject.lastIndexOf('.') + 1)
  return slugPattern.test(last) ? last : undefined
}

/** Whether this release knows a type that may come in a message. */
export function isKnownType(type: string): type is PublishedEventType {
  return Object.hasOwn(events, type) && events[type as EventType].visibility !== Visibility.Private
}

/** Returns the version that an envelope names in its `dataschema`; without one it is the table's. */
export function versionOf(envelope: Envelope): number {
  const named = /\/v([1-9]\d{0,3})\.json$/.exec(envelope.dataschema ?? '')?.[1]
  return named === undefined && isKnownType(envelope.type) ? events[envelope.type].version : Number(named)
}
