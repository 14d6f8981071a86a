import fc, { type Arbitrary } from 'fast-check'
import { isObject } from './check.ts'

/** The part of JSON Schema that the contracts use; TypeBox schemas are such objects. */
interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  format?: string
}

/** A value that a schema refuses, and the place of its fault. */
export interface Faulty {
  value: unknown
  /** JSON pointer (RFC 6901) of the faulty member. */
  pointer: string
}

/** Generates valid values of a schema; small ones are more frequent than ones at the limits. */
export function valid(schema: object): Arbitrary<unknown> {
  const { enum: values, anyOf, type, ...rest } = schema as Schema
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(valid))
  if (values !== undefined) return fc.constantFrom(...values)
  if ('const' in rest) return fc.constant(rest.const)
  switch (type) {
    case 'object':
      return validObject(rest)
    case 'array':
      return fc.array(valid(rest.items ?? {}), {
        minLength: rest.minItems ?? 0,
        maxLength: Math.min(rest.maxItems ?? 5, 5),
      })
    case 'string':
      return validText(rest)
    case 'integer':
      return validInteger(rest)
    case 'number':
      return fc.double({ min: rest.minimum ?? -1e6, max: rest.maximum ?? 1e6, noNaN: true }).map((value) => value + 0)
    case 'boolean':
      return fc.boolean()
    default:
      return fc.constant(null)
  }
}

function validObject({ properties = {}, required = [] }: Schema): Arbitrary<unknown> {
  const members = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, valid(member)]))
  return fc.record(members, { requiredKeys: [...required], noNullPrototype: true })
}

function validInteger({ minimum = -(2 ** 31), maximum = 2 ** 31 }: Schema): Arbitrary<number> {
  const max = Math.min(maximum, Number.MAX_SAFE_INTEGER)
  const small = fc.integer({ min: minimum, max: Math.min(max, minimum + 5_000) })
  return fc
    .oneof({ weight: 4, arbitrary: small }, { weight: 1, arbitrary: fc.maxSafeInteger() })
    .map((value) => Math.min(Math.max(value, minimum), max))
}

/** Generators of the formats; hosts do not exist (RFC 2606). */
const formats: Readonly<Record<string, Arbitrary<string>>> = {
  uuid: fc.uuid(),
  'date-time': fc
    .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  'idn-email': fc
    .tuple(fc.stringMatching(/^[a-z][a-z0-9]{0,10}$/), fc.stringMatching(/^[a-z]{1,10}$/))
    .map(([name, host]) => `${name}@${host}.example`),
  'uri-reference': fc.stringMatching(/^[a-z][a-z0-9/]{0,20}$/),
  uri: fc
    .tuple(
      fc.constantFrom('http', 'https', 'HTTPS'),
      fc.stringMatching(/^[a-z]{1,10}$/),
      fc.stringMatching(/^[a-z0-9/]{0,20}$/),
    )
    .map(([scheme, host, path]) => `${scheme}://${host}.invalid/${path}`),
}

function validText({ pattern, format, minLength = 0, maxLength = 100 }: Schema): Arbitrary<string> {
  if (format !== undefined) return formats[format] ?? fc.constant('')
  const form = new RegExp(pattern ?? '', 'u')
  const fits = (text: string) =>
    form.test(text) && text.length >= minLength && text.length <= maxLength && storable(text)
  const free = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 30) }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 30) }) },
  )
  if (pattern === undefined || /^\^\[\^/.test(pattern)) return free.filter(fits)
  return fc.oneof(fc.stringMatching(form, { size: 'small' }).filter(fits), fc.stringMatching(form).filter(fits))
}

/** NUL and lone surrogates are refused before the schema is checked. */
const storable = (text: string) => text.isWellFormed() && !text.includes('\u0000')

/** Generates values with exactly one fault, and its place. */
export function faulty(schema: object): Arbitrary<Faulty> {
  const here = faultsHere(schema as Schema).map((value): Faulty => ({ value, pointer: '' }))
  const inside = faultsInside(schema)
  return inside.length === 0
    ? here
    : fc.oneof({ weight: 1, arbitrary: here }, ...inside.map((arbitrary) => ({ weight: 2, arbitrary })))
}

const otherValues: Readonly<Record<string, Arbitrary<unknown>>> = {
  object: fc.constantFrom({}, { a: 1 }),
  array: fc.constantFrom([], ['x'], [[]]),
  string: fc.constantFrom('', 'x', '1', 'true', 'null'),
  number: fc.constantFrom(0, 1, -1, 0.5, 1e300),
  boolean: fc.boolean(),
  null: fc.constant(null),
}

/** Generates values of another type, or beyond one of the limits. */
function faultsHere(schema: Schema): Arbitrary<unknown> {
  const { anyOf, type, enum: values } = schema
  if (anyOf !== undefined) return faultsHere(anyOf[0] ?? {}).filter((value) => value !== null)
  const own = type === 'integer' ? 'number' : (type ?? 'string')
  const others = Object.entries(otherValues).flatMap(([name, arbitrary]) => (name === own ? [] : [arbitrary]))
  const against: Arbitrary<unknown>[] = []
  // Codes of countries and currencies have more than one spelling.
  const isCode = (text: string) => /^[a-z0-9]{2,3}$/i.test(text) && (values?.length ?? 0) > 100
  if (values !== undefined)
    against.push(fc.string().filter((text) => !values.includes(text) && !isCode(text) && storable(text)))
  if (type === 'integer') against.push(fc.constantFrom(0.5, 1e300))
  if (schema.minimum !== undefined) against.push(fc.constant(schema.minimum - 1))
  if (schema.maximum !== undefined) against.push(fc.constant(schema.maximum * 2 + 1))
  if (schema.minItems !== undefined) against.push(fc.constant([]))
  if (type === 'string' && values === undefined) against.push(...textsAgainst(schema))
  return fc.oneof(...others, ...against)
}

function textsAgainst({ pattern, format, minLength, maxLength }: Schema): Arbitrary<unknown>[] {
  const against: Arbitrary<unknown>[] = []
  if (minLength !== undefined && minLength > 0) against.push(fc.constant(''))
  if (maxLength !== undefined) against.push(fc.constant('x'.repeat(maxLength + 1)))
  if (format !== undefined)
    against.push(fc.constantFrom(...(format === 'uri-reference' ? [' ', 'a b', '\n'] : ['', 'x', ' ', 'a b', '\n'])))
  if (pattern === undefined) return against
  const form = new RegExp(pattern, 'u')
  const candidates = ['', ' ', '\n', '\u0007', 'a b', '-', '+', '_', 'x\u007f', 'é', '🦷', '%', 'a/b'].filter(
    (text) => !form.test(text),
  )
  if (candidates.length > 0) against.push(fc.constantFrom(...candidates))
  return against
}

/** Generates one fault in a member or an item; the others are valid. */
function faultsInside({
  anyOf,
  type,
  properties = {},
  required = [],
  items,
  maxItems,
  ...rest
}: Schema): Arbitrary<Faulty>[] {
  if (anyOf !== undefined) return faultsInside(anyOf[0] ?? {})
  if (type === 'array' && items !== undefined) {
    const tooMany = maxItems === undefined ? [] : [fc.constant(maxItems + 1).chain((count) => repeated(items, count))]
    const item = faulty(items).map(({ value, pointer }): Faulty => ({ value: [value], pointer: `/0${pointer}` }))
    return [item, ...tooMany.map((arbitrary) => arbitrary.map((value): Faulty => ({ value, pointer: '' })))]
  }
  if (type !== 'object') return []
  const whole = validObject({ properties, required }).map((value) => value as Record<string, unknown>)
  const unknownMember = fc
    .tuple(
      whole,
      fc.stringMatching(/^[A-Za-z~/ ]{1,12}$/).filter((name) => !(name in properties) && !(name in {})),
    )
    .map(([value, name]): Faulty => ({ value: { ...value, [name]: 1 }, pointer: `/${escaped(name)}` }))
  const withoutOne = required.map((name) =>
    whole.map((value): Faulty => {
      const { [name]: _left, ...rest } = value
      return { value: rest, pointer: `/${escaped(name)}` }
    }),
  )
  const members = Object.entries(properties).map(([name, member]) =>
    fc
      // Null for an optional member counts as absent.
      .tuple(
        whole,
        faulty(member).filter(({ value }) => value !== null || required.includes(name)),
      )
      .map(([value, fault]): Faulty => ({
        value: { ...value, [name]: fault.value },
        pointer: `/${escaped(name)}${fault.pointer}`,
      })),
  )
  return [...(rest.additionalProperties === false ? [unknownMember] : []), ...withoutOne, ...members]
}

const repeated = (items: Schema, count: number) => valid(items).map((item) => Array.from({ length: count }, () => item))

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Generates any JSON and any text. */
export const anyJson: Arbitrary<string> = fc.oneof(fc.json(), fc.string())

/** Returns a query string; arrays become repeated parameters. */
export function queryText(query: unknown): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(isObject(query) ? query : {}))
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) search.append(name, String(item))
  return search.toString()
}
