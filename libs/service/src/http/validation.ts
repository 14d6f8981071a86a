import { Ajv, type ErrorObject } from 'ajv'
import addFormatsModule from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import type { ProblemFault } from '@frontdesk/problems'

// ajv-formats is CommonJS with a `default` member, and its types say so.
const addFormats = addFormatsModule.default

const options = { allErrors: true, strict: true, strictTypes: false, maxItems: 100 } as const
const { maxItems: faultsShown, ...ajvOptions } = options

// Values in bodies are neither coerced nor dropped. Query and path are text: they are coerced and get defaults.
const bodies = new Ajv({ ...ajvOptions, coerceTypes: false, removeAdditional: false, useDefaults: false })
// Ajv coerces `1e400` to Infinity, and with strict numbers would not check its `maximum`.
const texts = new Ajv({
  ...ajvOptions,
  coerceTypes: 'array',
  removeAdditional: false,
  useDefaults: true,
  strictNumbers: false,
})
addFormats(bodies)
addFormats(texts)

/** Compiles the validator for one part of a request. */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? bodies : texts).compile(schema)

/** Returns the faults of a request part for a problem: JSON pointers into the body, `query/…` and `path/…` for the others. */
export function validationFaults(errors: readonly ErrorObject[], httpPart: string): ProblemFault[] {
  const prefix = httpPart === 'querystring' ? 'query' : httpPart === 'params' ? 'path' : ''
  const faults = relevant(errors).map((error) => {
    const member =
      error.keyword === 'required'
        ? `/${escaped(error.params['missingProperty'])}`
        : error.keyword === 'additionalProperties'
          ? `/${escaped(error.params['additionalProperty'])}`
          : ''
    return { pointer: `${prefix}${error.instancePath}${member}`, detail: sentence(error) }
  })
  return faults.slice(0, faultsShown)
}

/** If a body may be one of several kinds, keeps only the faults of the kind that it is. */
function relevant(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const branchOf = (error: ErrorObject) => /^#\/anyOf\/\d+\//.exec(error.schemaPath)?.[0]
  const isOtherKind = (error: ErrorObject) => error.keyword === 'type' && error.instancePath === ''
  const others = new Set(errors.filter(isOtherKind).map(branchOf))
  const left = errors.filter(
    (error) => error.schemaPath !== '#/anyOf' && !(others.has(branchOf(error)) && branchOf(error) !== undefined),
  )
  return left.length > 0 ? left : errors
}

/** Escapes a member's name for a JSON pointer (RFC 6901). */
const escaped = (name: unknown): string => String(name).replaceAll('~', '~0').replaceAll('/', '~1')

function sentence(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required'
  if (error.keyword === 'additionalProperties') return 'is not a known member'
  if (error.keyword === 'enum') {
    const allowed: unknown[] = error.params['allowedValues']
    return allowed.length <= 20 ? `must be one of ${allowed.join(', ')}` : 'is not one of the known values'
  }
  return error.message ?? 'is not valid'
}
