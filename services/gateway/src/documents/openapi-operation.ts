import { requestHeaders, systemOfNewSite, type Operation, type OperationId } from '@frontdesk/contracts'
import { takesSiteKeys } from '../access/callers.ts'
import { descriptionOf, type Components, type JsonObject } from './components.ts'
import { examples } from './examples.ts'
import { errorResponses } from './openapi-errors.ts'

/** The tag of an operation, by the service that owns it. */
export const tags = {
  registry: 'Sites',
  accounts: 'Payment provider accounts',
  payments: 'Payments',
  'webhook-delivery': 'Webhooks',
  gateway: 'Audit trail',
} as const

/** Response headers of more than one operation, by name. */
export const sharedHeaders = {
  RateLimit: {
    description: 'The rest of your quota (IETF ratelimit-headers), such as `"default";r=199;t=1`.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'Your quota, such as `"default";q=200;w=2`: requests in a window of seconds.',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: 'Present if this is the stored answer to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
} as const satisfies JsonObject

/** Returns the OpenAPI description of an operation; `components` collects the schemas that it refers to. */
export function describeOperation(id: OperationId, operation: Operation, components: Components): JsonObject {
  return {
    operationId: id,
    summary: operation.summary,
    description: operation.description,
    tags: [tags[operation.service]],
    security: [{ accessToken: [operation.scope] }, ...(takesSiteKeys(operation) ? [{ siteKey: [] }] : [])],
    parameters: [
      ...pathParameters(operation, components),
      ...queryParameters(operation, components),
      ...headerParameters(id, operation, components),
    ],
    ...requestBody(id, operation, components),
    responses: { ...successes(id, operation, components), ...errorResponses(operation, components) },
  }
}

function requestBody(id: OperationId, operation: Operation, components: Components): JsonObject {
  const { body, contentTypes = ['application/json'] } = operation
  if (body === undefined) return {}
  const example = withoutAbsent(examples[id].body ?? {})
  const content = contentTypes.map((type) => {
    const isBatch = type.includes('batch')
    const schema = components.taken(kindOf(body, isBatch))
    return [type, { schema, example: isBatch ? [example] : example }] as const
  })
  return { requestBody: { required: true, content: Object.fromEntries(content) } }
}

/** If a body may be one item or a batch, returns the schema for the content type. */
function kindOf(body: object, isBatch: boolean): object {
  if (!('anyOf' in body)) return body
  const kinds = body.anyOf as { type?: string }[]
  return kinds.find(({ type }) => (type === 'array') === isBatch) ?? body
}

function successes(id: OperationId, operation: Operation, components: Components): JsonObject {
  const names = [
    'RateLimit',
    'RateLimit-Policy',
    ...(operation.method === 'POST' ? ['Idempotency-Replayed'] : []),
  ] as const
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  const example = withoutAbsent(examples[id].response)
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, schema]) => [
      status,
      {
        description: successTexts[status] ?? 'Done.',
        headers,
        content: {
          'application/json': { schema: components.told(schema), example },
          ...(operation.mediaTypes?.includes('text/csv') === true ? { 'text/csv': { schema: csvSchema } } : {}),
        },
      },
    ]),
  )
}

/** How a list is written as CSV. */
const csvSchema = {
  type: 'string',
  description:
    'A line for each item (RFC 4180), amounts in minor units. Only the first page begins with a line of names, so that pages can be put one after the other. The header `Link` has the address of the next page, relative to the API, as long as there is one.',
}

const successTexts: Record<string, string> = {
  '200': 'Done.',
  '201': 'Created.',
  '202': 'Accepted: it will happen soon.',
}

function pathParameters(operation: Operation, components: Components): JsonObject[] {
  return Object.entries(operation.params.properties).map(([name, schema]) =>
    parameter('path', name, schema, components, true),
  )
}

function queryParameters(operation: Operation, components: Components): JsonObject[] {
  return Object.entries(operation.query?.properties ?? {}).map(([name, schema]) => ({
    ...parameter('query', name, schema, components),
    ...('type' in schema && schema.type === 'array' ? { style: 'form', explode: true } : {}),
  }))
}

function headerParameters(id: OperationId, operation: Operation, components: Components): JsonObject[] {
  const names = [
    ...(operation.method === 'POST' ? (['Idempotency-Key'] as const) : []),
    ...(operation.practiceManagementSoftware === true ? (['X-Practice-Management-Software'] as const) : []),
  ]
  return names.map((name) => parameter('header', name, headerOf(id, name), components))
}

/** Returns the schema of a header, which means more where a site is created. */
function headerOf(id: OperationId, name: keyof typeof requestHeaders): object {
  return name === 'X-Practice-Management-Software' && id === 'createSite' ? systemOfNewSite : requestHeaders[name]
}

/** The schema's description becomes that of the parameter. */
function parameter(
  place: 'path' | 'query' | 'header',
  name: string,
  schema: object,
  components: Components,
  required = false,
): JsonObject {
  const { description: _, ...form } = components.taken(schema)
  return { name, in: place, required, description: descriptionOf(schema), schema: form }
}

function withoutAbsent(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject
}
