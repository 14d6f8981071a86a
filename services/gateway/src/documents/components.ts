import * as contracts from '@frontdesk/contracts'
import { IsEnum } from 'typebox'

type Json = null | boolean | number | string | Json[] | { [member: string]: Json }
export type JsonObject = { [member: string]: Json }

/**
 * The names of the contracts' schemas. A schema with a name becomes a component of a document. Members have copies of a
 * schema, optional or with a description of their own, so it is found by what it says.
 */
const named = new Map<string, { name: string; schema: object }>(
  Object.entries(contracts).flatMap(([name, schema]) =>
    /^[A-Z]/.test(name) && isSchema(schema) ? [[textOf(schema), { name, schema }]] : [],
  ),
)

function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null && ('type' in value || 'anyOf' in value || 'enum' in value)
}

/** Returns what a schema says of itself; the empty string if it says nothing. */
export function descriptionOf(schema: object): string {
  return 'description' in schema && typeof schema.description === 'string' ? schema.description : ''
}

function textOf(schema: object): string {
  return JSON.stringify({ ...schema, description: undefined })
}

export interface Components {
  /** Returns the document's schema of something that we take: a reference to its component if it has a name. */
  taken(schema: object): JsonObject
  /** Returns the document's schema of something that we tell. Its enumerations are open: any text may come, later. */
  told(schema: object): JsonObject
  /** Returns the components that the document refers to, by name. */
  all(): JsonObject
}

export interface ComponentOptions {
  /** Starts the references. */
  prefix: string
  /** The keyword for the values that an open enumeration has today. */
  openValues: 'x-extensible-enum' | 'examples'
  /** Whether a reference may have a description beside it, as in JSON Schema since 2019-09. */
  describesReferences: boolean
}

const inOpenApi: ComponentOptions = {
  prefix: '#/components/schemas/',
  openValues: 'x-extensible-enum',
  describesReferences: true,
}

/** Makes a collection of a document's named schemas. */
export function collectComponents(options: Partial<ComponentOptions> = {}): Components {
  const { prefix, openValues, describesReferences } = { ...inOpenApi, ...options }
  const collected: JsonObject = {}

  function copy(schema: object, isTold: boolean): JsonObject {
    if (isTold && IsEnum(schema)) return openEnumeration(schema)
    return Object.fromEntries(
      (Object.entries(schema) as [string, unknown][]).flatMap(([keyword, value]): [string, Json][] => {
        // A larger integer could not be printed exactly, and the format says as much.
        if (keyword === 'maximum' && Number(value) > Number.MAX_SAFE_INTEGER) return []
        if (keyword === 'properties') return [[keyword, eachOf(value as object, isTold)]]
        return [[keyword, inner(value, isTold)]]
      }),
    )
  }

  function inner(value: unknown, isTold: boolean): Json {
    if (Array.isArray(value)) return value.map((one) => inner(one, isTold))
    return typeof value === 'object' && value !== null ? reference(value, isTold) : (value as Json)
  }

  const eachOf = (members: object, isTold: boolean): JsonObject =>
    Object.fromEntries(Object.entries(members).map(([name, member]) => [name, reference(member as object, isTold)]))

  function openEnumeration(schema: { enum: unknown[] }): JsonObject {
    const description = `${descriptionOf(schema)}\n\nMore values may be added: take any other text, too.`
    return { type: 'string', [openValues]: schema.enum as Json[], description }
  }

  function reference(schema: object, isTold: boolean): JsonObject {
    const found = named.get(textOf(schema))
    if (found === undefined) return copy(schema, isTold)
    const name = isTold && IsEnum(schema) ? `Any${found.name}` : found.name
    if (!(name in collected)) {
      collected[name] = {}
      collected[name] = copy(found.schema, isTold)
    }
    const description = descriptionOf(schema)
    const target = { $ref: prefix + name }
    if (description === descriptionOf(found.schema)) return target
    return describesReferences ? { ...target, description } : { allOf: [target], description }
  }

  return {
    taken: (schema) => reference(schema, false),
    told: (schema) => reference(schema, true),
    all: () => Object.fromEntries(Object.entries(collected).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}
