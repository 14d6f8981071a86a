import { Ajv, type ErrorObject } from 'ajv'
import type { Static, TObject } from 'typebox'
import { durationPattern, schedulePattern } from './durations.ts'
import { developmentFaults } from './modes.ts'

/** The environment does not match the service's schema; the message names every fault. */
export class ConfigError extends Error {
  constructor(faults: string[]) {
    super(`the configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/**
 * Returns a service's configuration: the environment's values coerced by the schema, with defaults, frozen. An empty
 * variable counts as absent. Throws ConfigError with all faults at once, also those of settings that only development
 * allows.
 */
export function readConfig<Schema extends TObject>(
  schema: Schema,
  env: Record<string, string | undefined>,
): Readonly<Static<Schema>> {
  const names = Object.keys(schema.properties)
  const values = Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  const validate = new Ajv({ coerceTypes: true, useDefaults: true, allErrors: true }).compile(schema)
  validate(values)
  const faults = (validate.errors ?? []).map((error) => {
    const name = error.instancePath.slice(1) || String(error.params['missingProperty'] ?? '')
    return error.keyword === 'required' ? `${name} is missing` : `${name} ${wording(error)}`
  })
  faults.push(...developmentFaults(values))
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(values) as Readonly<Static<Schema>>
}

function wording({ keyword, message = 'is not valid', params }: ErrorObject): string {
  if (keyword === 'enum') return `must be one of: ${(params['allowedValues'] as string[]).join(', ')}`
  if (params['pattern'] === durationPattern) return 'must be a duration with its unit, such as 500ms, 25s or 5m'
  if (params['pattern'] === schedulePattern) return 'must be durations with their units, such as 5s,5m,30m'
  return message
}
