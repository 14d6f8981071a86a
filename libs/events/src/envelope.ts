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

/** 64 KiB: what CloudEvents intermediaries must forward; more is refused before it reaches an outbox. */
export const maxEventBytes = 64 * 1024

/** The site attributes of the envelope, as they were when the event's subject came to be. */
export interface EventSite {
  siteSlug: string
  organisationSlug: string
  billingOrganisationSlug: string
  product: string
  pmsSpecificId: string
}

/** Returns the envelope's attributes of a site, as the gateway or a snapshot has it. */
export function eventSiteOf(
  site: Pick<SiteAccess, 'slug' | 'system' | 'pmsSpecificId' | 'owningOrganisation' | 'billingOrganisation'>,
): EventSite {
  return {
    siteSlug: site.slug,
    organisationSlug: site.owningOrganisation,
    billingOrganisationSlug: site.billingOrganisation,
    product: site.system,
    pmsSpecificId: site.pmsSpecificId,
  }
}

/** An event a rule has decided on; ids and bytes are made when it enters the outbox. */
export interface OutgoingEvent<T extends PublishedEventType = PublishedEventType> {
  type: T
  /** The row that was locked for the change; `version` counts its events and is unique with it. */
  aggregate: { type: string; id: string; version: number }
  data: EventData<T>
  time: Date
  site?: EventSite
  traceparent?: string | undefined
}

/** Who publishes: the service's name, and the public address that makes `source` and `dataschema` absolute. */
export interface EventOrigin {
  service: string
  publicUrl: string
}

/** An event as it lies in the outbox: the final bytes, the subject and the headers. */
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

/** Gives an event its id and its final bytes. Throws where the data does not match its schema or is over 64 KiB: our bug. */
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
    headers: natsHeaders(event.type, event.traceparent),
    payload,
  }
}

/** The NATS headers of an event in structured mode. */
export function natsHeaders(type: string, traceparent?: string): Record<string, string> {
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

/** A received event of a type of ours, its data checked against the table. */
export type ReceivedEvent = {
  [T in PublishedEventType]: Omit<Envelope, 'type' | 'data'> & { type: T; data: EventData<T> }
}[PublishedEventType]

/** A message that can never be processed, however often it comes: it goes to the dead letters at once. */
export class PermanentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PermanentError'
  }
}

/** Parses an envelope, ours or not (unknown attributes pass). Throws PermanentError where it is none. */
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

/** Parses an event of ours and checks its data. Throws PermanentError on an unknown type or data that does not match. */
export function parseEvent(bytes: Uint8Array): ReceivedEvent {
  const envelope = parseEnvelope(bytes)
  if (!(envelope.type in events)) throw new PermanentError(`unknown event type ${envelope.type}`)
  const faults = dataFaults(envelope.type as EventType, envelope.data)
  if (faults.length > 0) throw new PermanentError(`data of ${envelope.type}: ${faults.join('; ')}`)
  return envelope as ReceivedEvent
}
