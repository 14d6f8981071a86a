import { dataSchemaUrl, Envelope, eventDataSchema, events, type EventType } from '@frontdesk/contracts'
import { collectComponents, type Components, type JsonObject } from './components.ts'

/** Returns the schema of a complete event: the envelope with its type and data. */
export function eventSchema(type: EventType, components: Components): JsonObject {
  const own = {
    type: 'object',
    required: ['data'],
    properties: { type: { const: type }, data: components.schema(events[type].data) },
  }
  return { allOf: [components.schema(Envelope), own] }
}

/** Returns the JSON Schema (2020-12) of an event's data, which is served at the event's `dataschema`. */
export function dataSchema(publicUrl: string, type: EventType, version: number = events[type].version): JsonObject {
  const components = collectComponents('#/$defs/')
  const schema = components.schema(eventDataSchema(type, version))
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: dataSchemaUrl(publicUrl, type, version),
    title: type,
    description: events[type].description,
    ...schema,
    $defs: components.all(),
  }
}
