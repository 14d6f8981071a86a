import type { ErrorCategory } from '@frontdesk/contracts'
import { catalogue, problemType } from '@frontdesk/problems'
import type { JsonObject } from './components.ts'

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

/** Returns the error responses of an operation, by status. */
export function errorReferences(categories: readonly ErrorCategory[]): JsonObject {
  return Object.fromEntries(
    categories.map((category) => [statusOf[category], { $ref: `#/components/responses/${responseName(category)}` }]),
  )
}

/** Returns one response for each error category, with its codes. */
export function errorResponses(): JsonObject {
  return Object.fromEntries(
    (Object.entries(statusOf) as [ErrorCategory, string][]).map(([category, status]) => [
      responseName(category),
      errorResponse(category, status),
    ]),
  )
}

const responseName = (category: string): string =>
  category.replaceAll(/\s+(\w)/g, (_, letter: string) => letter.toUpperCase())

function errorResponse(category: ErrorCategory, status: string): JsonObject {
  const codes = codesOf(status)
  const [first = 'internal_error'] = codes
  const entry = catalogue[first]
  return {
    description: `${category}. Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    ...(status in errorHeaders ? { headers: errorHeaders[status] ?? {} } : {}),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        example: {
          type: problemType(first),
          title: entry.title,
          status: entry.status,
          code: first,
          traceId: '0af7651916cd43dd8448eb211c80319c',
        },
      },
    },
  }
}

/** Returns the codes of a status. A range has those that belong to no single status. */
function codesOf(status: string): (keyof typeof catalogue)[] {
  const codes = Object.keys(catalogue) as (keyof typeof catalogue)[]
  const single: readonly string[] = Object.values(statusOf)
  return codes.filter((code) => {
    const own = String(catalogue[code].status)
    return status.endsWith('XX') ? own[0] === status[0] && !single.includes(own) : own === status
  })
}

const retryAfter = { description: 'Seconds to wait before you try again.', schema: { type: 'integer' } }

const errorHeaders: Readonly<Record<string, JsonObject>> = {
  '401': { 'WWW-Authenticate': { description: 'The challenge (RFC 6750).', schema: { type: 'string' } } },
  '429': {
    'Retry-After': retryAfter,
    RateLimit: { $ref: '#/components/headers/RateLimit' },
    'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
  },
  '4XX': {
    'Retry-After': { ...retryAfter, description: 'Seconds to wait before you send the same request again (409).' },
    Allow: { description: 'The methods of this address (405).', schema: { type: 'string' } },
  },
  '5XX': { 'Retry-After': retryAfter },
}

/** Returns the schema of an error's body. */
export function problemSchema(): JsonObject {
  return {
    type: 'object',
    description: 'RFC 9457 problem details.',
    required: ['type', 'title', 'status', 'code'],
    properties: {
      type: {
        type: 'string',
        format: 'uri-reference',
        description: 'The page about this code, relative to the address of the request.',
      },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      instance: { type: 'string' },
      code: { type: 'string', description: 'Stable, in snake_case.' },
      traceId: { type: 'string' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['pointer', 'detail'],
          properties: { pointer: { type: 'string' }, detail: { type: 'string' } },
        },
      },
    },
    additionalProperties: true,
  }
}
