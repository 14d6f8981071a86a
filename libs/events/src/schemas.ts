import { eventDataSchema, type EventType } from '@frontdesk/contracts'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

export type Use = 'writing' | 'reading'

const validators = new Map<string, Validator<{}, TSchema>>()

/**
 * Returns the validator of an event's data. The one for writing is strict. The one for reading comes from the same schema and
 * lets pass what a newer release may add: members, and values of enumerations.
 *
 * @throws TypeError if the events table does not have the version
 */
export function validatorOf(type: EventType, version: number, use: Use): Validator<{}, TSchema> {
  const key = `${type} ${version} ${use}`
  let validator = validators.get(key)
  if (validator === undefined) {
    const schema = eventDataSchema(type, version)
    if (schema === undefined) throw new TypeError(`${type} has no version ${version}`)
    validator = Compile(use === 'writing' ? schema : (tolerant(schema) as TSchema))
    validators.set(key, validator)
  }
  return validator
}

/** Returns where and how a value does not match; nothing if it does. */
export function faultsOf(validator: Validator<{}, TSchema>, value: unknown): string[] {
  return validator.Check(value) ? [] : validator.Errors(value).map((fault) => `${fault.instancePath} ${fault.message}`)
}

/** Copies a JSON schema without the rules that a newer writer may break: closed objects, and lists of text values. */
export function tolerant(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(tolerant)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema)
  const isText = 'enum' in schema && Array.isArray(schema.enum) && schema.enum.every((one) => typeof one === 'string')
  const kept = members.filter(
    ([name, value]) =>
      !(name === 'enum' && isText) &&
      !(name === 'additionalProperties' && value === false) &&
      !(name === 'const' && typeof value === 'string'),
  )
  return Object.fromEntries([
    ...(isText ? [['type', 'string']] : []),
    ...kept.map(([name, value]) => [name, name === 'properties' ? inEach(value as object) : tolerant(value)]),
  ])
}

/** The members of `properties` are names of ours and no keywords: one may be called `enum`. */
function inEach(properties: object): object {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, tolerant(schema)]))
}
