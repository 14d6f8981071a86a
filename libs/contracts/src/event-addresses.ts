import type { TSchema } from 'typebox'
import { Visibility } from './envelope.ts'
import { events, type EventShape, type EventType, type PublishedEventType } from './events.ts'
import { slugPattern } from './values.ts'

/** Returns the schema of an event's data in one of its versions; undefined if the table does not have the version. */
export function eventDataSchema(type: EventType, version: number): TSchema | undefined {
  const event: EventShape = events[type]
  return version === event.version ? event.data : event.otherVersions?.[version]
}

/** Returns the JetStream subject of one of our events. Throws RangeError if `siteSlug` is not a slug. */
export function eventSubject(
  type: PublishedEventType,
  service: string,
  siteSlug: string | undefined,
  version: number = events[type].version,
): string {
  const event = events[type]
  if (siteSlug !== undefined && !slugPattern.test(siteSlug)) throw new RangeError('not a slug')
  const tail = `${service}.${event.entity}.${event.action}.v${version}.${siteSlug ?? '-'}`
  if (event.visibility === Visibility.WorkQueue) return `work.${tail}`
  return `evt.${event.visibility === Visibility.Public ? 'pub' : 'int'}.${tail}`
}

/** Returns the address of the schema of an event's data: `{publicUrl}/schemas/{type}/v1.json`. */
export function dataSchemaUrl(publicUrl: string, type: EventType, version: number = events[type].version): string {
  return `${publicUrl}/schemas/${type}/v${version}.json`
}
