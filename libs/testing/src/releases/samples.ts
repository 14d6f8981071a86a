/** The parts of a JSON schema that samples are made of. */
interface Schema {
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  type?: string
  format?: string
  pattern?: string
  minimum?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
}

export const sampleSlug = 'sRelease1'
const texts = [sampleSlug, 'Dentally', '42']
const formats: Record<string, string> = {
  uuid: '0199a7f0-0000-7000-8000-000000000001',
  'date-time': '2026-11-21T10:00:00.000Z',
  uri: 'https://example.com/',
}

/** Returns values that match a schema of an object: with all members, with the required ones, and with each value of each enumeration. */
export function samplesOf(schema: object): Record<string, unknown>[] {
  const { properties = {}, required = [] }: Schema = schema
  const full = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, sampleOf(member)]))
  const least = Object.fromEntries(required.map((name) => [name, full[name]]))
  const values = Object.entries(properties).flatMap(([name, { enum: all = [] }]) =>
    all.slice(1).map((value) => ({ ...full, [name]: value })),
  )
  return [full, least, ...values]
}

function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0] ?? {})
  if (schema.type === 'object') return samplesOf(schema)[0]
  if (schema.type === 'array') return [sampleOf(schema.items ?? {})]
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (schema.type === 'boolean') return true
  const { format, pattern } = schema
  const fits = texts.find((text) => pattern === undefined || new RegExp(pattern, 'u').test(text))
  return (format === undefined ? undefined : formats[format]) ?? fits ?? 'text'
}
