import * as contracts from '@frontdesk/contracts'

type Json = null | boolean | number | string | Json[] | { [member: string]: Json }
export type JsonObject = { [member: string]: Json }

/** Schemas of the contracts that get a name of their own in a document, by identity. */
const named = new Map<unknown, string>(
  Object.entries(contracts)
    .filter(([name, value]) => /^[A-Z]/.test(name) && isSchema(value))
    .map(([name, value]) => [value, name]),
)

function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null && ('type' in value || 'anyOf' in value || 'enum' in value)
}

export interface Components {
  /** A schema as the document holds it: a reference to its component where it has a name. */
  schema(value: unknown): JsonObject
  /** The components that were referred to, by name. */
  all(): JsonObject
}

/** Collects the named schemas of a document; `prefix` is where it keeps them. */
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
