import * as contracts from '@frontdesk/contracts'

type Json = null | boolean | number | string | Json[] | { [member: string]: Json }
export type JsonObject = { [member: string]: Json }

/** The names of the contracts' schemas. A schema with a name becomes a component of a document. */
const named = new Map<unknown, string>(
  Object.entries(contracts)
    .filter(([name, value]) => /^[A-Z]/.test(name) && isSchema(value))
    .map(([name, value]) => [value, name]),
)

function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null && ('type' in value || 'anyOf' in value || 'enum' in value)
}

export interface Components {
  /** Returns a schema for the document: a reference to its component if it has a name. */
  schema(value: unknown): JsonObject
  /** Returns the components that the document refers to, by name. */
  all(): JsonObject
}

/** Makes a collection of a document's named schemas. `prefix` starts their references. */
export function collectComponents(prefix = '#/components/schemas/'): Components {
  const collected: JsonObject = {}

  function copy(value: unknown): Json {
    if (Array.isArray(value)) return value.map(reference)
    if (typeof value !== 'object' || value === null) return value as Json
    return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, reference(inner)]))
  }

  function reference(value: unknown): Json {
    const name = named.get(value)
    if (name === undefined) return copy(value)
    if (!(name in collected)) {
      collected[name] = {}
      collected[name] = copy(value)
    }
    return { $ref: prefix + name }
  }

  return {
    schema: (value) => reference(value) as JsonObject,
    all: () => Object.fromEntries(Object.entries(collected).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}
