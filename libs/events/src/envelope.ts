import {
  dataSchemaUrl,
  Envelope,
  events,
  eventContentType,
  eventSubject,
  type EventData,
  type EventType,
  type PublishedEventType,
  type SiteAccess,
} from '@frontdesk/contracts'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { v7 as uuidv7 } from 'uuid'

/** 64 KiB, the size that CloudEvents intermediaries must forward. A larger event is refused before it reaches an outbox. */
export const maxEventBytes = 64 * 1024

/** The site attributes of the envelope, as of the creation of the event's subject. */
export interface EventSite {
  siteSlug: string
  organisationSlug: string
  billingOrganisationSlug: string
  product: string
  pmsSpecificId: string
}

/** Returns the envelope attributes of a site. */
export function eventSiteOf(
  site: Pick<
    SiteAccess,
    'slug' | 'practiceManagementSystem' | 'pmsSpecificId' | 'owningOrganisation' | 'billingOrganisation'
  >,
): EventSite {
  return {
    siteSlug: site.slug,
    organisationSlug: site.owningOrganisation,
    billingOrganisationSlug: site.billingOrganisation,
    product: site.practiceManagementSystem,
    pmsSpecificId: site.pmsSpecificId,
  }
}

/** An event before it enters the outbox, where it gets its id and its bytes. */
export interface OutgoingEvent<T extends PublishedEventType = PublishedEventType> {
  type: T
  /** The row that the change locked. `version` counts its events: no two events of a row share one. */
  aggregate: { type: string; id: string; version: number }
  data: EventData<T>
  time: Date
  site?: EventSite
  traceparent?: string | undefined
}

/** The publishing service, and the public address from which `source` and `dataschema` are made. */
export interface EventOrigin {
  service: string
  publicUrl: string
}

/** An event in the outbox: final bytes, subject and headers. */
export interface OutboxEvent {
  id: string
  aggregateType: string
  aggregateId: string
  aggregateVersion: number
  visibility: number
  subject: string
  headers: Record<string, string>
  payload: Buffer
}

/** Gives an event its id and its final bytes. Throws if the data does not match its schema or the event is over 64 KiB. */
export function composeEvent(origin: EventOrigin, event: OutgoingEvent): OutboxEvent {
  const entry = events[event.type]
  const faults = dataFaults(event.type, event.data)
  if (faults.length > 0) throw new TypeError(`data of ${event.type}: ${faults.join('; ')}`)
  const id = uuidv7()
  const envelope: Envelope = {
    specversion: '1.0',
    id,
    source: `${origin.publicUrl}/${origin.service}`,
    type: event.type,
    subject: event.aggregate.id,
    time: event.time.toISOString(),
    datacontenttype: 'application/json',
    dataschema: dataSchemaUrl(origin.publicUrl, event.type),
    ...(event.site === undefined ? {} : siteAttributes(event.site)),
    visibility: entry.visibility,
    ...(event.traceparent === undefined ? {} : { traceparent: event.traceparent }),
    data: event.data,
  }
  const payload = Buffer.from(JSON.stringify(envelope))
  if (payload.byteLength > maxEventBytes) throw new RangeError(`${event.type} is ${payload.byteLength} bytes`)
  return {
    id,
    aggregateType: event.aggregate.type,
    aggregateId: event.aggregate.id,
    aggregateVersion: event.aggregate.version,
    visibility: entry.visibility,
    subject: eventSubject(event.type, origin.service, event.site?.siteSlug),
    headers: eventHeaders(event.type, event.traceparent),
    payload,
  }
}

/** Returns the message headers of an event in structured mode. */
export function eventHeaders(type: string, traceparent?: string): Record<string, string> {
  return {
    'content-type': eventContentType,
    'x-event-type': type,
    ...(traceparent === undefined ? {} : { traceparent }),
  }
}

function siteAttributes(site: EventSite): Partial<Envelope> {
  return {
    siteslug: site.siteSlug,
    organisationslug: site.organisationSlug,
    billingorganisationslug: site.billingOrganisationSlug,
    product: site.product,
    pmsspecificid: site.pmsSpecificId,
  }
}

const envelopeValidator = Compile(Envelope)
const dataValidators = new Map<EventType, Validator<{}, TSchema>>()

function dataFaults(type: EventType, data: unknown): string[] {
  let validator = dataValidators.get(type)
  if (validator === undefined) {
    validator = Compile(events[type].data as TSchema)
    dataValidators.set(type, validator)
  }
  return validator.Check(data) ? [] : validator.Errors(data).map((fault) => `${fault.instancePath} ${fault.message}`)
}

/** A received event of one of our types; its data matches the events table. */
export type ReceivedEvent = {
  [T in PublishedEventType]: Omit<Envelope, 'type' | 'data'> & { type: T; data: EventData<T> }
}[PublishedEventType]

/** Thrown for a message that can never be processed. The message becomes a dead letter at once. */
export class PermanentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PermanentError'
  }
}

/** Parses an envelope; unknown attributes pass. Throws PermanentError if the bytes are not an envelope. */
export function parseEnvelope(bytes: Uint8Array): Envelope {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch (error) {
    throw new PermanentError('not JSON', { cause: error })
  }
  if (!envelopeValidator.Check(value)) {
    const faults = envelopeValidator.Errors(value).map((fault) => `${fault.instancePath} ${fault.message}`)
    throw new PermanentError(`not an event: ${faults.join('; ')}`)
  }
  return value
}

/** Parses an event of one of our types and checks its data. Throws PermanentError if either does not match. */
export function parseEvent(bytes: Uint8Array): ReceivedEvent {
  const envelope = parseEnvelope(bytes)
  if (!(envelope.type in events)) throw new PermanentError(`unknown event type ${envelope.type}`)
  const faults = dataFaults(envelope.type as EventType, envelope.data)
  if (faults.length > 0) throw new PermanentError(`data of ${envelope.type}: ${faults.join('; ')}`)
  return envelope as ReceivedEvent
}
