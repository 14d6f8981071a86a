import { countryCodes, countryOf, currencies, type Operation } from '@frontdesk/contracts'

/** The part of JSON Schema that this reads; TypeBox schemas are such objects. */
interface Schema {
  type?: string
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
}

export type RequestPart = 'body' | 'patch' | 'query'

/** Returns a function that brings query and body of an operation's request into the spelling of their schemas. */
export function respelling({ body, query, method }: Pick<Operation, 'body' | 'query' | 'method'>) {
  const readBody = body && spellingReader(body, method === 'PATCH' ? 'patch' : 'body')
  const readQuery = query && spellingReader(query, 'query')
  return (request: { body: unknown; query: unknown }): void => {
    if (readBody !== undefined) request.body = readBody(request.body)
    if (readQuery !== undefined) request.query = readQuery(request.query)
  }
}

/** Returns a value as its schema has it, or the value itself if it is not another spelling. Changes objects and arrays in place. */
type Reader = (value: unknown) => unknown

/**
 * Compiles the reader of a request part, which comes before its validator. It takes ordinary spellings: a null member that is
 * optional and cannot be null counts as absent (many serialisers write one; in a `patch` it removes, so it stays), `True` is true in a
 * `query`, `gb`, `GBR` and `826` are the country GB, `gbp` is the currency GBP. Whatever it does not know is left for the
 * validator to refuse. Undefined if the part has nothing that can be spelt otherwise.
 */
export function spellingReader(schema: object, part: RequestPart): Reader | undefined {
  const own: Schema = schema
  const { anyOf, type, items, enum: values } = own
  if (anyOf !== undefined) return anyOfReader(anyOf, part)
  if (type === 'object') return objectReader(own, part)
  if (type === 'array' && items !== undefined) return arrayReader(items, part)
  if (type === 'boolean' && part === 'query') return booleanOf
  if (isListOf(values, countryCodes)) return countryOf
  if (isListOf(values, currencies)) return upperCase
  return undefined
}

function objectReader({ properties = {}, required = [] }: Schema, part: RequestPart): Reader | undefined {
  const members = Object.entries(properties).flatMap(([name, schema]) => {
    const read = spellingReader(schema, part)
    const isDropped = part === 'body' && !required.includes(name) && !takesNull(schema)
    return read === undefined && !isDropped ? [] : [{ name, read, isDropped }]
  })
  if (members.length === 0) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const object = value as Record<string, unknown>
    for (const { name, read, isDropped } of members) {
      const member = object[name]
      if (member === undefined) continue
      if (member === null && isDropped) delete object[name]
      else if (read !== undefined) object[name] = read(member)
    }
    return value
  }
}

function arrayReader(items: Schema, part: RequestPart): Reader | undefined {
  const read = spellingReader(items, part)
  if (read === undefined) return undefined
  return (value) => {
    // In a query, one value is an array too.
    if (!Array.isArray(value)) return part === 'query' ? read(value) : value
    const list: unknown[] = value
    for (let index = 0; index < list.length; index += 1) list[index] = read(list[index])
    return list
  }
}

/** A body is one object or a batch of them, and a member may be null: a value is at most one of the kinds. */
function anyOfReader(kinds: readonly Schema[], part: RequestPart): Reader | undefined {
  const readers = kinds.flatMap((kind) => {
    const read = spellingReader(kind, part)
    return read === undefined ? [] : [{ isArray: kind.type === 'array', read }]
  })
  if (readers.length === 0) return undefined
  return (value) => {
    const kind = readers.find(({ isArray }) => isArray === Array.isArray(value))
    return kind === undefined ? value : kind.read(value)
  }
}

/** Whether a member can be null, or anything. */
function takesNull({ type, anyOf, enum: values }: Schema): boolean {
  if (anyOf !== undefined) return anyOf.some(takesNull)
  return type === 'null' || (type === undefined && values === undefined)
}

/** Whether values are those of a list: an optional member has a copy of its schema, so identity does not tell. */
export function isListOf(values: readonly unknown[] | undefined, list: readonly string[]): boolean {
  return values !== undefined && values.length === list.length && values[0] === list[0] && values.at(-1) === list.at(-1)
}

const booleanOf: Reader = (value) => {
  if (typeof value !== 'string') return value
  const spelt = value.toLowerCase()
  return spelt === 'true' || spelt === '1' ? true : spelt === 'false' || spelt === '0' ? false : value
}

const upperCase: Reader = (value) => (typeof value === 'string' ? value.toUpperCase() : value)
