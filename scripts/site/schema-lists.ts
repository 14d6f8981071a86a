import { code, prose } from './markdown.ts'

/** The part of a JSON Schema that the reference shows. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  examples?: unknown[]
  const?: unknown
  default?: unknown
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** A list of values longer than this is shown only by its first ones. */
const mostValues = 16

/** Returns the type of a schema and its limits in a few words, as Markdown. */
export function describeType(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return name === 'Problem' ? 'problem' : `[${name}](/reference/schemas#${name})`
  }
  const kinds = schema.anyOf ?? schema.oneOf
  if (kinds !== undefined) return [...new Set(kinds.map(describeType))].join(' or ')
  if (schema.allOf !== undefined) return schema.allOf.map(describeType).join(' and ')
  if (schema.const !== undefined) return `always ${code(JSON.stringify(schema.const))}`
  const limits = limitsOf(schema)
  return [kindOf(schema), ...limits].join(', ')
}

function kindOf({ type, format, items, enum: values }: Schema): string {
  if (values !== undefined) {
    const shown = values.slice(0, mostValues).map((value) => code(String(value)))
    return `one of ${shown.join(', ')}${values.length > mostValues ? ` and ${values.length - mostValues} more` : ''}`
  }
  const name = Array.isArray(type) ? type.join(' or ') : type
  if (name === 'array' && items !== undefined) return `list of ${describeType(items)}`
  return format === undefined ? (name ?? 'any value') : `${name ?? 'string'} (${format})`
}

function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, maxItems, default: standard } = schema
  return [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined || maximum > Number.MAX_SAFE_INTEGER ? [] : [`at most ${maximum}`]),
    ...(minLength === undefined || minLength < 2 ? [] : [`at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} items`]),
    ...(standard === undefined ? [] : [`default ${code(JSON.stringify(standard))}`]),
  ]
}

/** Returns the properties of a schema as a list, those of inner objects indented; empty if it has none. */
export function describeProperties(schema: Schema, indent = ''): string {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties)
    .flatMap(([name, property]) => {
      const inner = property.items ?? property
      const note = property.description === undefined ? '' : `: ${prose(property.description)}`
      const optional = required.includes(name) ? '' : ', optional'
      const line = `${indent}- ${code(name)} (${describeType(property)}${optional})${note}`
      const within = inner.$ref === undefined ? describeProperties(inner, `${indent}  `) : ''
      return within === '' ? [line] : [line, within]
    })
    .join('\n')
}
