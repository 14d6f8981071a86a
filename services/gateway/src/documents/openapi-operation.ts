import type { Operation, OperationId } from '@frontdesk/contracts'
import { takesSiteKeys } from '../access/callers.ts'
import type { Components, JsonObject } from './components.ts'
import { examples } from './examples.ts'
import { errorReferences } from './openapi-errors.ts'

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
    schema: { const: 'true' },
  },
} as const satisfies JsonObject

/** Returns the OpenAPI description of an operation; `components` collects the schemas that it refers to. */
export function describeOperation(id: OperationId, operation: Operation, components: Components): JsonObject {
  return {
    operationId: id,
    summary: operation.summary,
    tags: [tags[operation.service]],
    security: [{ accessToken: [operation.scope] }, ...(takesSiteKeys(operation) ? [{ siteKey: [] }] : [])],
    parameters: [
      ...pathParameters(operation, components),
      ...queryParameters(operation, components),
      ...headerParameters(operation),
    ],
    ...requestBody(id, operation, components),
    responses: { ...successes(id, operation, components), ...errorReferences(operation.errors) },
  }
}

function requestBody(id: OperationId, operation: Operation, components: Components): JsonObject {
  const { body, contentTypes = ['application/json'] } = operation
  if (body === undefined) return {}
  const example = withoutAbsent(examples[id].body ?? {})
  const content = contentTypes.map((type) => {
    const isBatch = type.includes('batch')
    const schema = components.schema(kindOf(body, isBatch))
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
          'application/json': { schema: components.schema(schema), example },
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
  return Object.entries(operation.params.properties).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    description:
      name === 'SiteIdentifier'
        ? 'The slug of a site, or its id in the practice management software.'
        : `The ${name} of the resource.`,
    schema: components.schema(schema),
  }))
}

const queryTexts: Record<string, string> = {
  pageSize: 'The largest number of items in a page.',
  nextPageToken: 'The `NextPageToken` of the previous page. Send the same filters with it.',
}

function queryParameters(operation: Operation, components: Components): JsonObject[] {
  return Object.entries(operation.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    description: descriptionOf(schema) ?? queryTexts[name] ?? `Only items of this ${name}.`,
    schema: components.schema(schema),
    ...('type' in schema && schema.type === 'array' ? { style: 'form', explode: true } : {}),
  }))
}

const descriptionOf = (schema: object): string | undefined =>
  'description' in schema && typeof schema.description === 'string' ? schema.description : undefined

function headerParameters(operation: Operation): JsonObject[] {
  const headers: JsonObject[] = []
  if (operation.method === 'POST') {
    headers.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Makes the request safe to repeat for 24 hours.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    })
  }
  if (operation.practiceManagementSoftware === true) {
    headers.push({
      name: 'X-Practice-Management-Software',
      in: 'header',
      required: false,
      description: 'The system of a PMS-specific identifier, if you have access to several.',
      schema: { type: 'string', pattern: '^[A-Z][A-Za-z0-9]{1,63}$' },
    })
  }
  return headers
}

function withoutAbsent(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject
}
