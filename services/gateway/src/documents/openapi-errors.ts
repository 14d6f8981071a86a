import type { ErrorCategory, Operation } from '@frontdesk/contracts'
import { ProblemDetails } from '@frontdesk/contracts'
import { catalogue, type ProblemCode } from '@frontdesk/problems'
import type { Components, JsonObject } from './components.ts'
import { ofEveryOperation, problemsOf } from './problems-of-operation.ts'

/** The status of each error category; `User Error` and `Server Error` are ranges. */
const statusOf: Record<ErrorCategory, string> = {
  'Malformed Request': '400',
  Unauthorized: '401',
  Forbidden: '403',
  'Not Found': '404',
  Unprocessable: '422',
  'Too many requests': '429',
  'User Error': '4XX',
  'Server Error': '5XX',
}

/**
 * Returns the error responses of an operation by status, each with the codes that this operation can answer. Those that
 * every operation has are components.
 */
export function errorResponses(operation: Operation, components: Components): JsonObject {
  const codes = problemsOf(operation)
  return Object.fromEntries(
    operation.errors.map((category) => {
      const status = statusOf[category]
      const own = codes.filter((code) => belongsTo(code, status))
      const isShared = own.length > 0 && own.every((code) => isOfEveryOperation(code))
      const response = isShared
        ? { $ref: `#/components/responses/${nameOf(category)}` }
        : errorResponse(category, own, components)
      return [status, response]
    }),
  )
}

/** Returns the error responses that every operation has, by name. */
export function sharedErrorResponses(components: Components): JsonObject {
  return Object.fromEntries(
    (Object.entries(statusOf) as [ErrorCategory, string][]).flatMap(([category, status]) => {
      const codes = ofEveryOperation.filter((code) => belongsTo(code, status))
      return codes.length === 0 ? [] : [[nameOf(category), errorResponse(category, codes, components)]]
    }),
  )
}

const nameOf = (category: string): string =>
  category.replaceAll(/\s+(\w)/g, (_, letter: string) => letter.toUpperCase())
const isOfEveryOperation = (code: ProblemCode): boolean => ofEveryOperation.some((one) => one === code)

/** Whether a code has the status. A range has those that belong to no single status. */
function belongsTo(code: ProblemCode, status: string): boolean {
  const own = String(catalogue[code].status)
  const single: readonly string[] = Object.values(statusOf)
  return status.endsWith('XX') ? own[0] === status[0] && !single.includes(own) : own === status
}

function errorResponse(category: ErrorCategory, codes: readonly ProblemCode[], components: Components): JsonObject {
  const status = statusOf[category]
  const [first] = codes
  const lines = codes.map((code) => `- \`${code}\`: ${catalogue[code].title}`)
  return {
    description: [
      category,
      ...(first === undefined ? ['', 'This operation has no such answer today.'] : ['', ...lines]),
    ].join('\n'),
    'x-problem-codes': [...codes],
    ...(status in errorHeaders ? { headers: errorHeaders[status] ?? {} } : {}),
    content: {
      'application/problem+json': {
        schema: components.told(ProblemDetails),
        ...(first === undefined ? {} : { example: exampleOf(first) }),
      },
    },
  }
}

function exampleOf(code: ProblemCode): JsonObject {
  const entry = catalogue[code]
  return {
    type: 'type' in entry ? entry.type : `urn:frontdesk:problem:${code}`,
    title: entry.title,
    status: entry.status,
    code,
    traceId: '0af7651916cd43dd8448eb211c80319c',
  }
}

const retryAfter = {
  description: 'Seconds to wait before you try again.',
  schema: { type: 'integer', format: 'int32' },
}

const errorHeaders: Readonly<Record<string, JsonObject>> = {
  '401': { 'WWW-Authenticate': { description: 'The challenge (RFC 6750).', schema: { type: 'string' } } },
  '429': {
    'Retry-After': retryAfter,
    RateLimit: { $ref: '#/components/headers/RateLimit' },
    'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
  },
  '4XX': {
    'Retry-After': { ...retryAfter, description: 'Seconds to wait before you send the same request again (409).' },
  },
  '5XX': { 'Retry-After': retryAfter },
}
