import { operations, scopes, type Operation, type OperationId } from '@frontdesk/contracts'
import { collectComponents, type JsonObject } from './components.ts'
import { errorResponses, problemSchema } from './openapi-errors.ts'
import { describeOperation, sharedHeaders, tags } from './openapi-operation.ts'
import { describeWebhooks } from './openapi-webhooks.ts'

const description = `
Practice sites, the payments they take, and signed webhooks for every outcome.

**Access.** OAuth 2.0 client credentials; operations on one site also take an API key of that site.

**Idempotency.** Every POST takes an \`Idempotency-Key\` (24 hours; per client, operation, path and key). The same request gets the stored
answer with \`Idempotency-Replayed: true\`, another body 422, one that is in flight 409 with \`Retry-After\`.

**Paging.** Lists answer \`NextPageToken\` while there is more; send it as \`nextPageToken\` with the same filters. \`pageSize\` may change.

**Errors.** Every error is \`application/problem+json\` (RFC 9457) with a stable \`code\`, a \`traceId\`, and \`errors\` that point at faulty members.

**Limits.** \`RateLimit\` and \`RateLimit-Policy\` tell what is left; 429 and 503 come with \`Retry-After\`.

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
  const webhooks = describeWebhooks(components)
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
    tags: Object.values(tags).map((name) => ({ name, description: `Operations on ${name.toLowerCase()}.` })),
    paths,
    webhooks,
    components: {
      schemas: { ...components.all(), Problem: problemSchema() },
      headers: sharedHeaders,
      responses: errorResponses(),
      securitySchemes: securitySchemes(publicUrl),
    },
  }
}

function securitySchemes(publicUrl: string): JsonObject {
  return {
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
  }
}
