import { dataSchemaUrl, Envelope, eventDataSchema, events, type EventType } from '@frontdesk/contracts'
import { collectComponents, type Components, type JsonObject } from './components.ts'

/** Returns the schema of a complete event: the envelope with its type and data. */
export function eventSchema(type: EventType, components: Components): JsonObject {
  const own = {
    type: 'object',
    required: ['data'],
    properties: {
      type: { type: 'string', const: type, description: 'The type of the event.' },
      data: components.told(events[type].data),
    },
  }
  return { allOf: [components.told(Envelope), own] }
}

/** Returns the JSON Schema (2020-12) of an event's data, which is served at the event's `dataschema`. */
export function dataSchema(publicUrl: string, type: EventType, version: number = events[type].version): JsonObject {
  const components = collectComponents({ prefix: '#/$defs/', openValues: 'examples' })
  const schema = components.told(eventDataSchema(type, version) ?? {})
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: dataSchemaUrl(publicUrl, type, version),
    title: type,
    ...schema,
    description: events[type].description,
    $defs: components.all(),
  }
}
