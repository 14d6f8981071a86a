import {
  dataSchemaUrl,
  events,
  eventContentType,
  eventSubject,
  type Envelope,
  type EventData,
  type PublishedEventType,
  type SiteAccess,
} from '@frontdesk/contracts'
import { v7 as uuidv7 } from 'uuid'
import { faultsOf, validatorOf } from './schemas.ts'

/** 64 KiB, the size that CloudEvents intermediaries must forward. A larger event is refused before it reaches an outbox. */
export const maxEventBytes = 64 * 1024

/** In the headers of a version that is published beside the one that subscribers get, and names that one: `v1`. */
export const besideHeader = 'x-event-beside'

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
  const id = uuidv7()
  return compose(origin, event, { id, eventId: id, version: events[event.type].version })
}

/** Another version of an event, to be published beside it. */
export interface OtherVersion extends Omit<OutgoingEvent, 'data'> {
  version: number
  data: object
}

/**
 * Composes another version of an event (docs/events.md). It carries the same event id, has a message id of its own, so that
 * the stream keeps both, and a header that tells webhook-delivery to pass it over: subscribers get `first` alone.
 *
 * @param first the event in the version that subscribers get
 * @param event `aggregate.version` is one above that of `first`
 * @throws TypeError if the events table does not have the version, or the data does not match it
 */
export function composeOtherVersion(origin: EventOrigin, first: OutboxEvent, event: OtherVersion): OutboxEvent {
  const other = compose(origin, event, { id: uuidv7(), eventId: first.id, version: event.version })
  return { ...other, headers: { ...other.headers, [besideHeader]: `v${events[event.type].version}` } }
}

function compose(
  origin: EventOrigin,
  event: Omit<OutgoingEvent, 'data'> & { data: object },
  { id, eventId, version }: { id: string; eventId: string; version: number },
): OutboxEvent {
  const entry = events[event.type]
  const faults = faultsOf(validatorOf(event.type, version, 'writing'), event.data)
  if (faults.length > 0) throw new TypeError(`data of ${event.type}: ${faults.join('; ')}`)
  const envelope: Envelope = {
    specversion: '1.0',
    id: eventId,
    source: `${origin.publicUrl}/${origin.service}`,
    type: event.type,
    subject: event.aggregate.id,
    time: event.time.toISOString(),
    datacontenttype: 'application/json',
    dataschema: dataSchemaUrl(origin.publicUrl, event.type, version),
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
    subject: eventSubject(event.type, origin.service, event.site?.siteSlug, version),
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
