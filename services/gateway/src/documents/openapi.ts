import { operations, scopes, type ErrorCategory, type Operation, type OperationId } from '@frontdesk/contracts'
import { catalogue } from '@frontdesk/problems'
import { collectComponents, type Components, type JsonObject } from './components.ts'
import { examples } from './examples.ts'

/** Status of each error category; `User Error` and `Server Error` are ranges (design section 5, "Errors"). */
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

const tags = {
  registry: 'Sites',
  accounts: 'Payment provider accounts',
  payments: 'Payments',
  'webhook-delivery': 'Webhooks',
  gateway: 'Access',
} as const

const description = `
Practice sites, the payments they take, and signed webhooks for every outcome.

**Idempotency.** Every POST takes an \`Idempotency-Key\` (24 hours; per client, operation, path and key). The same request gets the stored
answer with \`Idempotency-Replayed: true\`, another body 422, one that is in flight 409 with \`Retry-After\`.

**Paging.** Lists answer \`NextPageToken\` while there is more; send it as \`nextPageToken\` with the same filters. \`pageSize\` may change.

**Errors.** Every error is \`application/problem+json\` (RFC 9457) with a stable \`code\`, a \`traceId\`, and \`errors\` that point at faulty members.

**Money.** Integers in ISO 4217 minor units.

**Open enumerations.** New values may appear in responses: tolerate them.`.trim()

/** The OpenAPI 3.1 document of the API, printed from the operations table. `publicUrl` is the gateway's own address. */
export function openApiDocument(publicUrl: string): JsonObject {
  const components = collectComponents()
  const paths: Record<string, JsonObject> = {}
  for (const [id, operation] of Object.entries(operations) as [OperationId, Operation][]) {
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = describeOperation(id, operation, components)
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Frontdesk',
      version: '1.0.0',
      summary: 'Practice site registry and payments',
      description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Frontdesk' },
      contact: { name: 'Frontdesk', url: publicUrl },
    },
    servers: [{ url: publicUrl }],
    tags: Object.values(tags)
      .filter((name) => name !== 'Access')
      .map((name) => ({ name, description: `Operations on ${name.toLowerCase()}.` })),
    paths,
    components: {
      schemas: { ...components.all(), Problem: problemSchema() },
      responses: Object.fromEntries(
        Object.entries(statusOf).map(([category, status]) => [responseName(category), errorResponse(category, status)]),
      ),
      securitySchemes: {
        accessToken: {
          type: 'oauth2',
          description: 'OAuth 2.0 client credentials; the access token is a JWT (RFC 9068).',
          flows: {
            clientCredentials: {
              tokenUrl: `${publicUrl}/oauth2/token`,
              scopes: Object.fromEntries(scopes.map((scope) => [scope, `Allows ${scope.replace(':', ' ')}.`])),
            },
          },
        },
        siteKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Site-Api-Key',
          description: 'The primary or secondary API key of the site, for that site only.',
        },
      },
    },
  }
}

function describeOperation(id: OperationId, operation: Operation, components: Components): JsonObject {
  const example = examples[id]
  return {
    operationId: id,
    summary: operation.summary,
    tags: [tags[operation.service]],
    security: [{ accessToken: [operation.scope] }, ...(operation.level === 'site' ? [{ siteKey: [] }] : [])],
    parameters: [
      ...pathParameters(operation, components),
      ...queryParameters(operation, components),
      ...headerParameters(operation),
    ],
    ...(operation.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: bodyContent(operation, components.schema(operation.body), example.body as JsonObject),
          },
        }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.responses).map(([status, schema]) => [
          status,
          {
            description: successText(status),
            headers: rateLimitHeaders(),
            content: {
              'application/json': { schema: components.schema(schema), example: withoutAbsent(example.response) },
            },
          },
        ]),
      ),
      ...Object.fromEntries(
        operation.errors.map((category) => [
          statusOf[category],
          { $ref: `#/components/responses/${responseName(category)}` },
        ]),
      ),
    },
  }
}

/** The content types of a body; the example of a batch is a batch of one. */
function bodyContent(operation: Operation, schema: JsonObject, example: JsonObject): JsonObject {
  const types = operation.contentTypes ?? ['application/json']
  return Object.fromEntries(types.map((type) => [type, { schema, example: type.includes('batch') ? [example] : example }]))
}

function pathParameters(operation: Operation, components: Components): JsonObject[] {
  return Object.entries(operation.params.properties).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    description:
      name === 'SiteIdentifier'
        ? 'A site slug, or the id of the site in its practice management software.'
        : `The ${name} of the resource.`,
    schema: components.schema(schema),
  }))
}

function queryParameters(operation: Operation, components: Components): JsonObject[] {
  return Object.entries(operation.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: components.schema(schema),
    ...('type' in schema && schema.type === 'array' ? { style: 'form', explode: true } : {}),
  }))
}

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
      description: 'Which system a PMS-specific identifier belongs to, where the caller has access to several.',
      schema: { type: 'string', pattern: '^[A-Z][A-Za-z0-9]{1,63}$' },
    })
  }
  return headers
}

const successText = (status: string): string =>
  ({ '200': 'Done.', '201': 'Created.', '202': 'Accepted; it happens soon.' })[status] ?? 'Done.'

const responseName = (category: string): string =>
  category.replaceAll(/\s+(\w)/g, (_, letter: string) => letter.toUpperCase())

function rateLimitHeaders(): JsonObject {
  return {
    RateLimit: { description: 'What is left of the quota (IETF ratelimit-headers).', schema: { type: 'string' } },
    'RateLimit-Policy': { description: 'The quota.', schema: { type: 'string' } },
  }
}

function errorResponse(category: string, status: string): JsonObject {
  const codes = Object.entries(catalogue)
    .filter(([, entry]) =>
      /^\d+$/.test(status) ? String(entry.status) === status : String(entry.status)[0] === status[0],
    )
    .filter(([, entry]) => /^\d+$/.test(status) || ![400, 401, 403, 404, 422, 429].includes(entry.status))
    .map(([code]) => code)
  const [first = 'internal_error'] = codes
  const entry = catalogue[first as keyof typeof catalogue]
  return {
    description: `${category}. Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    ...(['401', '429', '5XX'].includes(status) ? { headers: errorHeaders(status) } : {}),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        example: {
          type: `urn:frontdesk:problem:${first}`,
          title: entry.title,
          status: entry.status,
          code: first,
          traceId: '0af7651916cd43dd8448eb211c80319c',
        },
      },
    },
  }
}

function errorHeaders(status: string): JsonObject {
  if (status === '401')
    return { 'WWW-Authenticate': { description: 'The challenge (RFC 6750).', schema: { type: 'string' } } }
  return { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } }
}

function problemSchema(): JsonObject {
  return {
    type: 'object',
    description: 'RFC 9457 problem details.',
    required: ['type', 'title', 'status', 'code'],
    properties: {
      type: { type: 'string', format: 'uri' },
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

function withoutAbsent(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject
}
